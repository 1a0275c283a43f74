import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { HttpResponse } from '@weft/proto/executions';
import { ServiceError } from '@weft/service-kit/errors';
import { isJsonObject } from '@weft/service-kit/json';
import { until } from '@weft/service-kit/testing';
import { callerRules } from '../peers/ingress-settings';
import { webhookAt } from '../peers/workflows';
import { startGateway, type TestGateway } from '../support/start-gateway';

const ADD = {
  name: 'add',
  description: 'Adds.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
};

const answer = (value: object, statusCode = 200): HttpResponse => ({
  statusCode,
  headers: [{ name: 'content-type', value: 'application/json; charset=utf-8' }],
  body: Buffer.from(JSON.stringify(value)),
});

describe('/mcp/<path>', () => {
  let gateway: TestGateway;
  const clients: Client[] = [];
  beforeEach(async () => {
    gateway = await startGateway();
    set();
  });
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()));
    await gateway.stop();
  });

  const set = (authentication = 'none', passesRequest = false, instructions = 'Use add.') =>
    gateway.workflows.webhooks.set(
      'MCP sales',
      webhookAt(
        { node: 'Server' },
        {
          callers: callerRules({ authentication }),
          responseMode: 'responseNode',
          mcp: { name: 'Sales', instructions, passesRequest },
        },
      ),
    );
  const respond = (value: object, statusCode?: number): void => {
    gateway.executions.told.answer = answer(value, statusCode);
  };
  const starts = () =>
    gateway.executions
      .callsOf('startExecution')
      .flatMap(({ request }) => (isJsonObject(request) && isJsonObject(request['start']) ? [request['start']] : []));
  const itemsOf = (start: { readonly input?: unknown } | undefined): unknown =>
    Buffer.isBuffer(start?.input) ? JSON.parse(start.input.toString()) : undefined;
  const post = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    gateway.ask('POST', '/mcp/sales', { body, headers });
  const rpc = async (method: string, params: object = {}) => {
    const { status, text } = await post({ jsonrpc: '2.0', id: 1, method, params });
    return { status, message: JSON.parse(text) };
  };
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway.base}/mcp/sales`)));
    return client;
  };

  it('serves an official client, which needs no session', async () => {
    const client = await connect();
    expect([client.getServerVersion()?.name, client.getInstructions()]).toEqual(['Sales', 'Use add.']);
    respond({ tools: [ADD] });
    expect((await client.listTools()).tools).toEqual([ADD]);
    respond({ text: '3', isError: false });
    expect(await client.callTool({ name: 'add', arguments: { a: 1 } })).toEqual({
      content: [{ type: 'text', text: '3' }],
      isError: false,
    });
    await client.ping();
  });

  it('lists the tools by a run that is not kept, once for many requests of a version', async () => {
    respond({ tools: [ADD] });
    const all = await Promise.all(Array.from({ length: 20 }, () => rpc('tools/list')));
    for (const { message } of all) expect(message.result).toEqual({ tools: [ADD] });
    expect(starts()).toMatchObject([{ startNode: 'Server', versionId: 'v1', mode: 3, expiresOnSuccess: true }]);
    expect(itemsOf(starts()[0])).toEqual([{ json: {} }, { json: { mcpListTools: true } }]);
    gateway.workflows.webhooks.set(
      'MCP other',
      webhookAt({ versionId: 'v2', node: 'Server' }, { mcp: { name: 'O', instructions: '', passesRequest: false } }),
    );
    await gateway.ask('POST', '/mcp/other', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });
    expect(starts()).toHaveLength(2);
  });

  it('does not start another run for a list that has just failed', async () => {
    respond({ message: 'Error in workflow' }, 500);
    for (let count = 0; count < 3; count += 1)
      expect((await rpc('tools/list')).message.error).toEqual({
        code: -32_603,
        message: expect.stringMatching(/^The tools cannot be listed. See the execution e\d+\.$/),
      });
    expect(starts()).toHaveLength(1);
  });

  it('runs the trigger for each call, and names the execution', async () => {
    respond({ text: 'too large', isError: true });
    const { status, headers, text } = await post({
      jsonrpc: '2.0',
      id: 'x',
      method: 'tools/call',
      params: { name: 'add', arguments: { a: 1 } },
    });
    expect([status, headers.get('x-weft-execution-id')]).toEqual([200, 'e1']);
    expect(JSON.parse(text)).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      result: { content: [{ type: 'text', text: 'too large' }], isError: true },
    });
    expect(itemsOf(starts()[0])).toEqual([
      { json: {} },
      { json: { mcpToolCall: { toolName: 'add', arguments: { a: 1 } } } },
    ]);
    expect(starts()[0]).not.toHaveProperty('expiresOnSuccess', true);
  });

  it('passes the request on without secrets, from version 2.1 of the node on', async () => {
    gateway.credentials.told.webhookAuth = {
      granted: true,
      refusalStatus: 0,
      claimsJson: '',
      secretHeader: 'authorization',
    };
    set('bearerAuth', true);
    respond({ text: '3', isError: false });
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add', arguments: {} } };
    await post(message, { authorization: 'Bearer secret', 'x-tenant': 't1' });
    expect(itemsOf(starts()[0])).toMatchObject([{ json: { body: message, headers: { 'x-tenant': 't1' } } }, {}]);
    expect(JSON.stringify(itemsOf(starts()[0]))).not.toContain('secret');
  });

  it.each([
    ['the tool waits', answer({ message: 'It waits.' }), 'The tool waits for an event. The execution e1 continues'],
    [
      'the run fails',
      answer({ message: 'Error in workflow' }, 500),
      'The call failed. The execution e1 has the reason.',
    ],
    ['there is no response in time', undefined, 'The tool has not responded in time. The execution e1 continues.'],
  ])('tells the model if %s', async (_, given, text) => {
    gateway.executions.told.answer = given;
    const { message } = await rpc('tools/call', { name: 'add' });
    expect(message.result).toEqual({ content: [{ type: 'text', text: expect.stringContaining(text) }], isError: true });
  });

  it('tells the model if the queue is full', async () => {
    gateway.executions.told.startFailure = new ServiceError({
      reason: 'QUEUE_FULL',
      kind: 'limited',
      message: 'The queue is full.',
    });
    const { message } = await rpc('tools/call', { name: 'add' });
    expect(message.result.isError).toBe(true);
    expect(message.result.content[0].text).toContain('The queue is full.');
    expect((await rpc('tools/list')).message.error.message).toContain('The queue is full.');
  });

  it('names a tool that does not exist as an error of the request', async () => {
    respond({ unknownTool: 'sub' });
    expect((await rpc('tools/call', { name: 'sub' })).message.error).toEqual({
      code: -32_602,
      message: 'Unknown tool: sub. List the tools again.',
    });
  });

  it('admits callers before it reads the body', async () => {
    gateway.credentials.told.webhookAuth = { granted: false, refusalStatus: 401, claimsJson: '', secretHeader: '' };
    set('bearerAuth');
    const refused = await post('x'.repeat(100));
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="webhook"']);
    gateway.credentials.told.webhookAuth = { granted: false, refusalStatus: 403, claimsJson: '', secretHeader: '' };
    expect((await post('{}')).status).toBe(403);
    expect(starts()).toEqual([]);
  });

  it.each([
    ['GET', 405],
    ['DELETE', 405],
    ['PUT', 405],
  ])('responds to %s with %i', async (method, status) => {
    const reply = await gateway.ask(method, '/mcp/sales', {});
    expect([reply.status, reply.headers.get('allow')]).toEqual([status, 'GET, POST']);
  });

  it.each([
    ['not JSON', 'not json', 400, -32_700],
    ['a message without a version', { id: 1, method: 'ping' }, 400, -32_600],
    ['a method that it does not have', { jsonrpc: '2.0', id: 1, method: 'resources/list' }, 200, -32_601],
    [
      'a cursor that it has not given',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: 'x' } },
      200,
      -32_602,
    ],
    [
      'arguments that are a list',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a', arguments: [] } },
      200,
      -32_602,
    ],
  ])('refuses %s', async (_, body, status, code) => {
    const reply = await post(body, { 'content-type': 'application/json' });
    expect([reply.status, JSON.parse(reply.text).error]).toEqual([status, expect.objectContaining({ code })]);
    expect(starts()).toEqual([]);
  });

  it('serves an official client of the older transport over one stream', async () => {
    const client = new Client({ name: 'test', version: '1' });
    clients.push(client);
    await client.connect(new SSEClientTransport(new URL(`${gateway.base}/mcp/sales`)));
    expect([client.getServerVersion()?.name, client.getInstructions()]).toEqual(['Sales', 'Use add.']);
    respond({ tools: [ADD] });
    expect((await client.listTools()).tools).toEqual([ADD]);
    respond({ text: 'x'.repeat(60_000), isError: false });
    expect(JSON.stringify(await client.callTool({ name: 'add', arguments: {} }))).toContain('x'.repeat(60_000));
    await expect(client.listResources()).rejects.toThrow('Method not found');
  });

  it('opens no stream for clients that know streamable HTTP', async () => {
    const listening = { accept: 'text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    expect((await gateway.ask('GET', '/mcp/sales', { headers: listening })).status).toBe(405);
  });

  it('accepts a message only with the name of a session that it made for this server', async () => {
    const ids = async (path: string): Promise<string> => {
      const left = new AbortController();
      const stream = await fetch(`${gateway.base}${path}`, {
        headers: { accept: 'text/event-stream' },
        signal: left.signal,
      });
      const first = await stream.body?.getReader().read();
      left.abort();
      return /sessionId=(\S+)/.exec(Buffer.from(first?.value ?? []).toString())?.[1] ?? '';
    };
    const session = await ids('/mcp/sales');
    const send = (name: string, body: unknown = { jsonrpc: '2.0', id: 1, method: 'ping' }) =>
      gateway.ask('POST', `/mcp/sales?sessionId=${name}`, { body });
    expect((await send(session)).status).toBe(202);
    expect((await send(session, { id: 1 })).status).toBe(400);
    for (const wrong of ['', 'x', `${session}x`, session.split('.')[0] ?? '']) {
      const reply = await send(wrong);
      expect([reply.status, reply.text]).toEqual([404, expect.stringContaining('open the stream of events again')]);
    }
    const server = { mcp: { name: 'O', instructions: '', passesRequest: false } };
    gateway.workflows.webhooks.set('MCP other', webhookAt({ workflowId: 'w2', node: 'Server' }, server));
    expect((await send(await ids('/mcp/other'))).status).toBe(404);
    expect(starts()).toEqual([]);
  });

  it('passes the answer to a message on if the stream is not here', async () => {
    const left = new AbortController();
    const stream = await fetch(`${gateway.base}/mcp/sales`, {
      headers: { accept: 'text/event-stream' },
      signal: left.signal,
    });
    const first = await stream.body?.getReader().read();
    const session = /sessionId=(\S+)/.exec(Buffer.from(first?.value ?? []).toString())?.[1] ?? '';
    left.abort();
    const body = { jsonrpc: '2.0', id: 7, method: 'ping' };
    await until('the answer is passed on', async () => {
      await gateway.ask('POST', `/mcp/sales?sessionId=${session}`, { body });
      return gateway.events.callsOf('sendDeltas').length > 0;
    });
    const [sent] = gateway.events.callsOf('sendDeltas');
    expect(sent?.request).toMatchObject({
      executionId: session.split('.')[0],
      deltas: [{ offset: 0, text: '{"jsonrpc":"2.0","id":7,"result":{}}', ends: true }],
    });
  });

  it('takes notifications, and refuses bodies that are too large', async () => {
    expect((await post({ jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202);
    const large = { jsonrpc: '2.0', id: 1, method: 'ping', params: { text: 'x'.repeat(1_000_000) } };
    expect((await post(large)).status).toBe(413);
  });

  it('refuses pages of other sites, and has no server elsewhere', async () => {
    expect((await post({}, { origin: 'https://evil.example' })).status).toBe(403);
    const missing = await gateway.ask('POST', '/mcp/nowhere', { body: {} });
    expect([missing.status, missing.json.error?.message]).toEqual([
      404,
      expect.stringContaining('No active workflow has an MCP server at /mcp/nowhere.'),
    ]);
    expect((await gateway.ask('POST', '/mcp/%E0%A4%A', { body: {} })).status).toBe(404);
  });
});
