import { RpcError } from './errors';
import type { CallContext, McpHost } from './host';
import type { Json, JsonObject } from './json';
import { answerPost, type PostResponse } from './streamable-http';

const HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

/** A host with one tool, whose work a test defines. */
const hostOf = (work: (context: CallContext, args: JsonObject) => Promise<string> = async () => 'done') => {
  const counts = { admitted: 0, called: 0 };
  const host: McpHost = {
    info: { name: 'test', title: 'Test', version: '1' },
    instructions: 'Use it.',
    admit: async () => {
      counts.admitted += 1;
      if (counts.admitted > 3) throw new Error('over the limit');
    },
    listTools: async (cursor) => {
      if (cursor !== undefined && cursor !== 'next') throw new RpcError(-32_602, 'Unknown cursor.');
      const tool = {
        name: 'echo',
        title: 'Echo',
        description: 'Echoes.',
        inputSchema: { type: 'object' },
        annotations: HINTS,
      };
      return { tools: [tool], ...(cursor === undefined ? { nextCursor: 'next' } : {}) };
    },
    callTool: async (name, args, context) => {
      counts.called += 1;
      if (name !== 'echo') throw new RpcError(-32_602, `Unknown tool: ${name}`);
      return { text: await work(context, args) };
    },
    toError: (thrown) => ({ message: thrown instanceof Error ? thrown.message : 'unknown' }),
  };
  return { host, counts };
};

const BOTH = { accept: 'application/json, text/event-stream' };
const NEVER = new AbortController().signal;

const call = (id: Json, name: Json = 'echo', meta: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: {}, _meta: meta },
});

const MODERN = '2026-07-28';
const META: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modern = (method: string, over: JsonObject = {}): JsonObject => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: { _meta: META, ...over },
});
const modernHeaders = (method: string, name?: string) => ({
  ...BOTH,
  'mcp-protocol-version': MODERN,
  'mcp-method': method,
  ...(name === undefined ? {} : { 'mcp-name': name }),
});

const post = (body: Json, headers: Readonly<Record<string, string>> = BOTH, host = hostOf().host) =>
  answerPost(host, { headers, body, signal: NEVER });

const jsonOf = (answer: PostResponse): Json => (answer.kind === 'json' ? JSON.parse(answer.text) : answer.kind);
const statusOf = (answer: PostResponse): number | string => (answer.kind === 'json' ? answer.status : answer.kind);

const readAll = async (answer: PostResponse): Promise<string> => {
  let text = '';
  if (answer.kind === 'stream') for await (const part of answer.parts) text += part;
  return text;
};

describe('messages', () => {
  it.each<[string, Json]>([
    ['no object', 'x'],
    ['null', null],
    ['no version', { id: 1, method: 'ping' }],
    ['another version', { jsonrpc: '1.0', id: 1, method: 'ping' }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    ['an object as method', { jsonrpc: '2.0', id: 1, method: {} }],
    ['a very long method', { jsonrpc: '2.0', id: 1, method: 'x'.repeat(10_000) }],
    ['a null id', { jsonrpc: '2.0', id: null, method: 'ping' }],
    ['a fractional id', { jsonrpc: '2.0', id: 1.5, method: 'ping' }],
    ['a huge id', { jsonrpc: '2.0', id: 'x'.repeat(300), method: 'ping' }],
    ['an object as id', { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['params in a list', { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] }],
  ])('refuses a message with %s', async (_what, body) => {
    const answer = await post(body);
    expect(statusOf(answer)).toBe(400);
    expect(jsonOf(answer)).toMatchObject({ jsonrpc: '2.0', error: { code: -32_600 } });
  });

  it('accepts notifications and responses without an answer', async () => {
    expect(statusOf(await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }))).toBe(
      'accepted',
    );
    expect(statusOf(await post({ jsonrpc: '2.0', id: 1, result: {} }))).toBe('accepted');
  });

  it('answers an unknown method with its name, also one named like a member of objects', async () => {
    for (const method of ['resources/list', 'constructor', '__proto__'])
      expect(jsonOf(await post({ jsonrpc: '2.0', id: 7, method }))).toMatchObject({ id: 7, error: { code: -32_601 } });
  });

  it('answers wrong parameters of a call as an error of the protocol', async () => {
    expect(jsonOf(await post(call(1, 5)))).toMatchObject({ error: { code: -32_602 } });
    expect(jsonOf(await post(call(1, 'other')))).toMatchObject({
      error: { code: -32_602, message: 'Unknown tool: other' },
    });
  });

  it('hides no failure: what a host throws is an internal error with its message', async () => {
    const { host } = hostOf(async () => {
      throw new Error('broken');
    });
    expect(jsonOf(await post(call(1), BOTH, host))).toMatchObject({
      id: 1,
      error: { code: -32_603, message: 'broken' },
    });
  });

  it('pages tools, and refuses an unknown cursor', async () => {
    const list = (params: JsonObject) => post({ jsonrpc: '2.0', id: 1, method: 'tools/list', params });
    expect(jsonOf(await list({}))).toMatchObject({ result: { tools: [{ name: 'echo' }], nextCursor: 'next' } });
    expect(jsonOf(await list({ cursor: 'next' }))).not.toHaveProperty('result.nextCursor');
    expect(jsonOf(await list({ cursor: 'x' }))).toMatchObject({ error: { code: -32_602 } });
    expect(jsonOf(await list({ cursor: 1 }))).toMatchObject({ error: { code: -32_602 } });
  });
});

describe('versions', () => {
  const initialize = (protocolVersion: Json) =>
    post({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: {} },
    });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('agrees on %s', async (version) => {
    expect(jsonOf(await initialize(version))).toMatchObject({ result: { protocolVersion: version } });
  });

  it.each<Json>(['2030-01-01', '2026-07-28', '', 5, null])(
    'offers the newest version instead of %j',
    async (version) => {
      expect(jsonOf(await initialize(version))).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
    },
  );

  it('refuses a version header that it does not serve, and says which it does', async () => {
    const answer = await post(
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { ...BOTH, 'mcp-protocol-version': '1999-01-01' },
    );
    expect(statusOf(answer)).toBe(400);
    expect(jsonOf(answer)).toMatchObject({
      error: { code: -32_022, data: { requested: '1999-01-01', supported: expect.arrayContaining([MODERN]) } },
    });
  });

  it('serves requests that carry their version, without a handshake', async () => {
    const discovered = await post(modern('server/discover'), modernHeaders('server/discover'));
    expect(jsonOf(discovered)).toMatchObject({
      result: { resultType: 'complete', supportedVersions: expect.arrayContaining([MODERN]), cacheScope: 'public' },
    });
    const listed = await post(modern('tools/list'), modernHeaders('tools/list'));
    expect(jsonOf(listed)).toMatchObject({ result: { resultType: 'complete', cacheScope: 'private' } });
    const called = await post(modern('tools/call', { name: 'echo' }), modernHeaders('tools/call', 'echo'));
    expect(jsonOf(called)).toMatchObject({ result: { content: [{ type: 'text', text: 'done' }], isError: false } });
  });

  it('reads an encoded name', async () => {
    const headers = modernHeaders('tools/call', '=?base64?ZWNobw==?=');
    expect(statusOf(await post(modern('tools/call', { name: 'echo' }), headers))).toBe(200);
  });

  it('answers 404 for an unknown method of a modern request', async () => {
    const answer = await post(modern('ping'), modernHeaders('ping'));
    expect([statusOf(answer), jsonOf(answer)]).toMatchObject([404, { error: { code: -32_601 } }]);
  });

  it.each([
    ['version', { ...modernHeaders('tools/list'), 'mcp-protocol-version': '2025-11-25' }],
    ['method', modernHeaders('tools/call')],
  ])('refuses a modern request whose header differs in its %s', async (_what, headers) => {
    const answer = await post(modern('tools/list'), headers);
    expect([statusOf(answer), jsonOf(answer)]).toMatchObject([400, { error: { code: -32_020 } }]);
  });

  it('refuses a call whose header names another tool', async () => {
    const answer = await post(modern('tools/call', { name: 'echo' }), modernHeaders('tools/call', 'other'));
    expect(jsonOf(answer)).toMatchObject({ error: { code: -32_020 } });
  });

  it('refuses a modern request without version or capabilities in its body', async () => {
    const bare = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    expect(jsonOf(await post(bare, modernHeaders('tools/list')))).toMatchObject({ error: { code: -32_602 } });
    const { 'io.modelcontextprotocol/protocolVersion': version = null } = META;
    const half = modern('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': version } });
    expect(jsonOf(await post(half, modernHeaders('tools/list')))).toMatchObject({ error: { code: -32_602 } });
  });
});

describe('batches', () => {
  it('answers the requests of a batch in order, and counts each', async () => {
    const { host, counts } = hostOf();
    const answer = await post(
      [call(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, call('b')],
      BOTH,
      host,
    );
    expect(jsonOf(answer)).toMatchObject([{ id: 1 }, { id: 'b' }]);
    expect(counts).toEqual({ admitted: 1, called: 2 });
  });

  it('stops calling tools when the caller is over its limit', async () => {
    const { host, counts } = hostOf();
    const answer = await post(
      Array.from({ length: 20 }, (_, id) => call(id)),
      BOTH,
      host,
    );
    expect(counts.called).toBe(4);
    expect(jsonOf(answer)).toHaveLength(20);
    expect(jsonOf(answer)).toContainEqual(expect.objectContaining({ id: 19, error: expect.anything() }));
  });

  it.each([0, 21, 10_000])('refuses a batch of %d', async (length) => {
    const { host, counts } = hostOf();
    const answer = await post(
      Array.from({ length }, (_, id) => call(id)),
      BOTH,
      host,
    );
    expect([statusOf(answer), counts.called]).toEqual([400, 0]);
  });

  it('refuses batches in versions without them', async () => {
    for (const version of ['2024-11-05', '2025-06-18', '2025-11-25', MODERN])
      expect(statusOf(await post([call(1)], { ...BOTH, 'mcp-protocol-version': version }))).toBe(400);
  });

  it('answers the wrong entries of a batch and serves the others', async () => {
    const initialize = { jsonrpc: '2.0', id: 2, method: 'initialize', params: {} };
    expect(jsonOf(await post([5, initialize, call(3), [call(4)]]))).toMatchObject([
      { id: null, error: { code: -32_600 } },
      { id: 2, error: { code: -32_600 } },
      { id: 3, result: {} },
      { id: null, error: { code: -32_600 } },
    ]);
  });
});

describe('long calls', () => {
  const withToken = (token: Json) => call(1, 'echo', { progressToken: token });

  it('streams progress, and then the response', async () => {
    const { host } = hostOf(async ({ progress }) => {
      progress?.('one');
      await new Promise((resolve) => setTimeout(resolve, 5));
      progress?.('two');
      return 'end';
    });
    const text = await readAll(await post(withToken('t'), BOTH, host));
    const messages = text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice(6))] : []));
    expect(messages).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 't', progress: 1, message: 'one' } },
      { method: 'notifications/progress', params: { progressToken: 't', progress: 2, message: 'two' } },
      { id: 1, result: { content: [{ text: 'end' }] } },
    ]);
  });

  it('reports no progress to a client that did not ask for it or cannot receive it', async () => {
    const { host } = hostOf(async ({ progress }) => String(progress));
    for (const [body, headers] of [
      [call(1), BOTH],
      [withToken('t'), { accept: 'application/json' }],
      [withToken({}), BOTH],
    ] as const)
      expect(jsonOf(await post(body, headers, host))).toMatchObject({ result: { content: [{ text: 'undefined' }] } });
  });

  it('keeps only the newest reports for a slow reader', async () => {
    const { host } = hostOf(async ({ progress }) => {
      for (let step = 0; step < 10_000; step += 1) progress?.(`step ${step}`);
      return 'end';
    });
    const answer = await post(withToken(1), { accept: 'text/event-stream' }, host);
    await new Promise((resolve) => setTimeout(resolve, 5));
    const text = await readAll(answer);
    expect(text.match(/notifications\/progress/g)?.length).toBeLessThanOrEqual(20);
    expect(text).toContain('step 9999');
    expect(text).toContain('"result"');
  });

  it('tells the tool when the client has left', async () => {
    const left = new AbortController();
    const { host } = hostOf(async ({ signal }) => String(signal.aborted));
    left.abort();
    expect(jsonOf(await answerPost(host, { headers: BOTH, body: call(1), signal: left.signal }))).toMatchObject({
      result: { content: [{ text: 'true' }] },
    });
  });

  it('refuses a client that accepts neither JSON nor a stream', async () => {
    expect(statusOf(await post(call(1), { accept: 'text/html' }))).toBe(406);
  });
});
