import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { node, type NodeFile } from '../../support/workflows';

const TYPE = '@n8n/n8n-nodes-langchain.';

const subNode = (name: string, kind: string, version: number, parameters: object = {}): NodeFile => ({
  ...node(name, 'x', version, 0, { ...parameters }),
  type: `${TYPE}${kind}`,
});

/** Tools of a server: sums, and hashes of strings. */
const TOOLS: readonly NodeFile[] = [
  subNode('Sum', 'toolCalculator', 1),
  node('Hash', 'cryptoTool', 1, 0, {
    action: 'hash',
    type: 'SHA256',
    value: "={{ $fromAI('text', 'what to hash', 'string') }}",
    dataPropertyName: 'hash',
  }),
];

describe('an MCP server of a workflow', () => {
  let stack: Stack;
  let rest: Rest;
  const clients: Client[] = [];
  beforeAll(async () => {
    stack = await borrowStack({ replicas: 2, env: { gateway: { TRUST_PROXY: '1' } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await giveStackBack(stack);
  });

  const serve = async (path: string, version: number, parameters: object = {}, extra: object = {}) => {
    const server = { ...subNode('Server', 'mcpTrigger', version, { path, ...parameters }), ...extra };
    const link = [[{ node: 'Server', type: 'ai_tool', index: 0 }]];
    const id = textOf(
      await rest('POST', '/workflows', {
        name: path,
        nodes: [server, ...TOOLS],
        connections: Object.fromEntries(TOOLS.map(({ name }) => [name, { ai_tool: link }])),
        settings: { executionOrder: 'v1' },
      }),
      'id',
    );
    const activated = await rest('POST', `/workflows/${id}/activate`);
    if (activated.status !== 200) throw new Error(activated.text);
    return id;
  };
  const addressOf = (path: string, gateway: number): URL => new URL(`${stack.baseUrls[gateway] ?? ''}/mcp/${path}`);
  const connect = async (path: string, gateway: number, headers: Readonly<Record<string, string>> = {}) => {
    const client = new Client({ name: 'story', version: '1' });
    clients.push(client);
    await client.connect(new StreamableHTTPClientTransport(addressOf(path, gateway), { requestInit: { headers } }));
    return client;
  };
  /** The stored executions of a workflow, newest first, once there are this many and they have ended. */
  const executionsOf = (id: string, count: number) =>
    until('the executions are stored', async () => {
      const stored = listOf(await rest('GET', `/executions?workflowId=${id}&limit=50`));
      return stored.length >= count && stored.every(({ status }) => status !== 'running') && stored;
    });

  it('offers its tools to official clients at any gateway, and stores the calls', async () => {
    const id = await serve('story-sums', 2);
    const [one, other] = [await connect('story-sums', 0), await connect('story-sums', 1)];
    for (const client of [one, other]) {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(['Sum', 'Hash']);
      expect(tools[1]?.inputSchema).toMatchObject({ properties: { text: { description: 'what to hash' } } });
    }
    expect(await one.callTool({ name: 'Sum', arguments: { input: '2+3' } })).toMatchObject({
      content: [{ type: 'text', text: '5' }],
      isError: false,
    });
    const hashed = await other.callTool({ name: 'Hash', arguments: { text: 'abc' } });
    expect(JSON.stringify(hashed)).toContain('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const stored = await executionsOf(id, 2);
    const whole = await Promise.all(
      stored.map(async (run) => dataOf(await rest('GET', `/executions/${String(run['id'])}`))),
    );
    // A list that took long is stored too, for an hour.
    const calls = whole.filter(({ data }) => /"(?:Sum|Hash)":\[/.test(JSON.stringify(data)));
    expect(calls.map(({ status, mode }) => [status, mode])).toEqual([
      ['success', 'webhook'],
      ['success', 'webhook'],
    ]);
  });

  it('serves clients of the older transport, also if their messages reach another gateway', async () => {
    await serve('story-older', 1);
    const client = new Client({ name: 'story', version: '1' });
    clients.push(client);
    // The first gateway has the stream, and the second one gets the messages.
    const messages = (url: string | URL, init?: RequestInit) =>
      init?.method === 'POST'
        ? fetch(String(url).replace(stack.baseUrls[0] ?? '', stack.baseUrls[1] ?? ''), init)
        : fetch(url, init);
    await client.connect(new SSEClientTransport(addressOf('story-older/sse', 0), { fetch: messages }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['Sum', 'Hash']);
    const sums = await Promise.all(
      Array.from({ length: 10 }, (_, n) => client.callTool({ name: 'Sum', arguments: { input: `${n}+${n}` } })),
    );
    expect(sums.map(({ content }) => content)).toEqual(
      Array.from({ length: 10 }, (_, n) => [{ type: 'text', text: String(n + n) }]),
    );
    const here = new Client({ name: 'story', version: '1' });
    clients.push(here);
    await here.connect(new SSEClientTransport(addressOf('story-older/sse', 1)));
    expect(await here.callTool({ name: 'Sum', arguments: { input: '1+1' } })).toMatchObject({
      content: [{ text: '2' }],
    });
  });

  it('tells the caller what went wrong, and shows failed calls', async () => {
    const id = await serve('story-faults', 2.1);
    const client = await connect('story-faults', 0);
    const failed = await client.callTool({ name: 'Sum', arguments: { input: '2+' } });
    expect(failed).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^The tool failed: /) }] });
    const refused = await client.callTool({ name: 'Hash', arguments: {} });
    expect(refused).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('"text" is required') }],
    });
    await expect(client.callTool({ name: 'Divide', arguments: {} })).rejects.toThrow('Unknown tool: Divide');
    const stored = await executionsOf(id, 3);
    expect(stored.map(({ status }) => status)).toEqual(['success', 'success', 'error']);
  });

  it('admits callers with the token of its credential', async () => {
    const data = { token: 'story-token-1' };
    const credential = textOf(await rest('POST', '/credentials', { name: 'T', type: 'httpBearerAuth', data }), 'id');
    const credentials = { httpBearerAuth: { id: credential, name: 'T' } };
    await serve('story-guarded', 1.1, { authentication: 'bearerAuth' }, { credentials });
    await expect(connect('story-guarded/messages', 0)).rejects.toThrow();
    const wrong = connect('story-guarded/messages', 1, { authorization: 'Bearer story-token-2' });
    await expect(wrong).rejects.toThrow();
    const client = await connect('story-guarded/messages', 1, { authorization: 'Bearer story-token-1' });
    expect((await client.listTools()).tools).toHaveLength(2);
  });

  it('keeps responding while others flood it', async () => {
    await serve('story-flood', 2);
    const client = await connect('story-flood', 0, { 'x-forwarded-for': '203.0.113.9' });
    const send = (body: string) =>
      fetch(addressOf('story-flood', 0), {
        method: 'POST',
        body,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'x-forwarded-for': '198.51.100.7',
        },
      });
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const flood = Array.from({ length: 300 }, (_, at) =>
      at % 30 === 0 ? send(JSON.stringify({ text: 'x'.repeat(10_000_000) })) : send(at % 3 === 0 ? '[[[' : list),
    );
    const sums = await Promise.all(
      [1, 2, 3].map((n) => client.callTool({ name: 'Sum', arguments: { input: `${n}+${n}` } })),
    );
    expect(sums.map(({ content }) => content)).toEqual([2, 4, 6].map((sum) => [{ type: 'text', text: String(sum) }]));
    const statuses = await Promise.all(
      flood.map((one) =>
        one.then(
          ({ status }) => status,
          () => 413,
        ),
      ),
    );
    expect([200, 400, 413, 429, 503]).toEqual(expect.arrayContaining([...new Set(statuses)]));
    expect(statuses).toContain(400);
  });
});
