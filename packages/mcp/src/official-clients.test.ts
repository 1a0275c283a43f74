import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CallContext, McpHost } from './host';
import { answerPost } from './streamable-http';

const HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** Requests that a server has received, by method and headers. */
interface Seen {
  readonly method: string;
  readonly version: string | undefined;
  readonly sessionId: string | undefined;
}

const hostOf = (work: (context: CallContext) => Promise<string>): McpHost => ({
  info: { name: 'test', title: 'Test', version: '1' },
  instructions: 'Use it.',
  admit: async () => undefined,
  listTools: async () => ({
    tools: [
      {
        name: 'work',
        title: 'Work',
        description: 'Works.',
        inputSchema: { type: 'object', additionalProperties: false },
        annotations: HINTS,
      },
    ],
  }),
  callTool: async (_name, _args, context) => ({ text: await work(context) }),
  toError: () => ({ message: 'broken' }),
});

/** A server over HTTP, as a host of this package writes one. */
const startServer = async (work: (context: CallContext) => Promise<string>) => {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const header = (name: string) => request.headers[name]?.toString();
      seen.push({
        method: request.method ?? '',
        version: header('mcp-protocol-version'),
        sessionId: header('mcp-session-id'),
      });
      if (request.method !== 'POST') return void response.writeHead(405).end();
      const left = new AbortController();
      response.once('close', () => left.abort());
      let text = '';
      for await (const part of request) text += String(part);
      const post = { headers: request.headers, body: JSON.parse(text), signal: left.signal };
      const answer = await answerPost(hostOf(work), post);
      if (answer.kind === 'accepted') return void response.writeHead(202).end();
      if (answer.kind === 'json')
        return void response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for await (const part of answer.parts) response.write(part);
      response.end();
    };
    void serve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    seen,
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

type Started = Awaited<ReturnType<typeof startServer>>;

const INFO = { name: 'peer', version: '1' };

describe('official clients', () => {
  let server: Started;
  /** Work that lasts until it is given a signal to end; by default it is done at once. */
  let work: (signal: AbortSignal) => Promise<unknown>;
  beforeEach(async () => {
    work = () => Promise.resolve();
    server = await startServer(async ({ progress, signal }) => {
      if (progress === undefined) return 'no progress';
      progress('one');
      progress('two');
      await work(signal);
      return 'worked';
    });
  });
  afterEach(() => server.stop());

  it('of versions with a handshake list and call tools, with progress and without a session', async () => {
    const client = new Client(INFO);
    await client.connect(new StreamableHTTPClientTransport(server.url));
    expect((await client.listTools()).tools).toMatchObject([{ name: 'work', annotations: HINTS }]);
    await client.ping();
    expect(await client.callTool({ name: 'work' })).toMatchObject({ content: [{ text: 'no progress' }] });
    const steps: (string | undefined)[] = [];
    const called = await client.callTool({ name: 'work' }, undefined, {
      onprogress: ({ message }) => steps.push(message),
    });
    expect(called).toMatchObject({ content: [{ text: 'worked' }], isError: false });
    expect(steps).toEqual(['one', 'two']);
    expect(new Set(server.seen.map(({ version }) => version))).toEqual(new Set([undefined, '2025-11-25']));
    expect(server.seen.every(({ sessionId }) => sessionId === undefined)).toBe(true);
    await client.close();
  });

  it('of 2026-07-28 list and call tools without a handshake', async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new ModernTransport(server.url));
    expect((await client.listTools()).tools).toMatchObject([{ name: 'work' }]);
    const steps: (string | undefined)[] = [];
    const called = await client.callTool(
      { name: 'work', arguments: {} },
      { onprogress: ({ message }) => steps.push(message) },
    );
    expect(called).toMatchObject({ content: [{ text: 'worked' }] });
    expect(steps).toEqual(['one', 'two']);
    expect(server.seen.every(({ version, method }) => version === '2026-07-28' || method !== 'POST')).toBe(true);
    await client.close();
  });

  it('find the newest version that both sides serve', async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new ModernTransport(server.url));
    await client.listTools();
    expect(server.seen.at(-1)?.version).toBe('2026-07-28');
    await client.close();
  });

  it('end the wait of a call that they cancel', async () => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new ModernTransport(server.url));
    const cancel = new AbortController();
    const ended = new Promise<void>((resolve) => {
      work = async (signal) => {
        if (!signal.aborted) await once(signal, 'abort');
        resolve();
      };
    });
    const options = { signal: cancel.signal, onprogress: () => cancel.abort() };
    await expect(client.callTool({ name: 'work', arguments: {} }, options)).rejects.toThrow();
    await ended;
    await client.close();
  });
});
