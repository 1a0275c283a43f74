import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createWeft, WeftError } from './index.js';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

describe('the client', () => {
  let server: Server;
  let baseUrl = '';
  const seen: Seen[] = [];
  let answer: (request: Seen, response: ServerResponse) => void = () => undefined;
  const json = (response: ServerResponse, status: number, body: unknown, headers = {}): void => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(JSON.stringify(body));
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method, url, headers } = request;
        const one = { method, url, headers, body: Buffer.concat(parts).toString() };
        seen.push(one);
        answer(one, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => void (seen.length = 0));

  it('sends path, query, body and key, and returns the body of the response', async () => {
    answer = (_, response) => json(response, 200, { data: { id: 'a/b', name: 'w' } });
    const weft = createWeft({ baseUrl: `${baseUrl}/api/v1/`, apiKey: () => Promise.resolve('weft_k') });
    const { data } = await weft.call('replaceWorkflow', {
      path: { id: 'a/b' },
      query: { key: 'k' },
      body: { name: 'w', nodes: [], connections: {} },
      headers: { 'if-match': '"e"' },
    });
    expect(data.name).toBe('w');
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/api/v1/workflows/a%2Fb?key=k' });
    expect(seen[0]?.headers).toMatchObject({ 'x-svc-api-key': 'weft_k', 'if-match': '"e"' });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ name: 'w', nodes: [], connections: {} });
    // @ts-expect-error: a workflow has no such field
    expect(data.nope?.x).toBeUndefined();
  });

  it('calls any endpoint, with the headers of the response', async () => {
    answer = (_, response) => json(response, 200, { data: { id: 'w1' } }, { etag: '"2"' });
    const found = await createWeft({ baseUrl }).request('PUT', '/workflows/{id}', { path: { id: 'w 1' }, body: {} });
    expect([found.status, found.headers.get('etag'), found.body]).toEqual([200, '"2"', { data: { id: 'w1' } }]);
    expect(seen[0]).toMatchObject({ method: 'PUT', url: '/api/v1/workflows/w%201' });
  });

  it('throws the error of the API with its facts', async () => {
    const error = { code: 'CONFLICT', message: 'Taken.', details: { reason: 'WORKFLOW_KEY_TAKEN', key: 'k' } };
    answer = (_, response) => json(response, 409, { error }, { 'x-request-id': 'r1' });
    const failure: unknown = await createWeft({ baseUrl })
      .call('deleteWorkflow', { path: { id: 'w1' } })
      .catch((thrown: unknown) => thrown);
    expect(failure).toBeInstanceOf(WeftError);
    expect(failure).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      reason: 'WORKFLOW_KEY_TAKEN',
      details: { key: 'k' },
      requestId: 'r1',
      message: 'Taken.',
    });
    answer = (_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>');
    await expect(createWeft({ baseUrl }).call('getCaller')).rejects.toMatchObject({ status: 502, code: 'UNKNOWN' });
  });

  it('repeats reads after 503, and never a POST without an idempotency key', async () => {
    const busy = { error: { code: 'SERVICE_UNAVAILABLE', message: 'Away.' } };
    answer = (_, response) =>
      seen.length < 3 ? json(response, 503, busy, { 'retry-after': '0' }) : json(response, 200, { data: {} });
    await createWeft({ baseUrl }).call('getVersion');
    expect(seen).toHaveLength(3);
    seen.length = 0;
    answer = (_, response) => json(response, 503, busy, { 'retry-after': '0' });
    await expect(createWeft({ baseUrl }).call('checkWorkflows', { body: { workflows: [] } })).rejects.toMatchObject({
      status: 503,
      retryAfterMs: 0,
    });
    expect(seen).toHaveLength(1);
  });

  it('reads all pages', async () => {
    answer = ({ url = '' }, response) =>
      json(
        response,
        200,
        url.includes('cursor=c1')
          ? { data: [{ id: '3' }], nextCursor: null }
          : { data: [{ id: '1' }, { id: '2' }], nextCursor: 'c1' },
      );
    const ids: string[] = [];
    for await (const { id } of createWeft({ baseUrl }).pages('listExecutions', { query: { status: 'error' } }))
      ids.push(id);
    expect(ids).toEqual(['1', '2', '3']);
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/executions?limit=100&status=error',
      '/api/v1/executions?limit=100&status=error&cursor=c1',
    ]);
  });

  it('runs a workflow with a key, and waits for its end', async () => {
    let polls = 0;
    answer = ({ method, url = '' }, response) => {
      if (method === 'POST') return json(response, 201, { data: { executionId: 'e1', status: 'running' } });
      polls += url.includes('includeData=false') ? 1 : 0;
      return json(response, 200, { data: { id: 'e1', status: polls < 2 ? 'running' : 'success', data: {} } });
    };
    const { executionId, execution } = await createWeft({ baseUrl }).run('w1', { input: { a: 1 } });
    expect([executionId, execution?.status, polls]).toEqual(['e1', 'success', 2]);
    expect(seen[0]?.headers['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ data: { a: 1 } });
    const started = await createWeft({ baseUrl }).run('w1', { wait: false });
    expect(started).toEqual({ executionId: 'e1', execution: undefined });
    expect(seen.some(({ url = '' }) => url.includes('wait=true'))).toBe(true);
    // Typed without a cast.
    expect(execution?.data.resultData?.error?.message).toBeUndefined();
    // @ts-expect-error: the message is a string
    expect(execution?.data.resultData?.error?.message.nope).toBeUndefined();
  });

  it('gives up waiting for a run at the end of its time', async () => {
    answer = ({ method }, response) => {
      if (method === 'POST') json(response, 201, { data: { executionId: 'e1', status: 'running' } });
      // The server waits for the run, which takes longer.
    };
    const { execution } = await createWeft({ baseUrl }).run('w1', { timeoutMs: 200 });
    expect(execution).toBeUndefined();
  });

  const frame = (sequence: number): string =>
    `id: ${sequence}\nevent: node.finished\ndata: {"sequence":${sequence},"type":"node.finished"}\n\n`;
  const sequencesOf = async (weft: ReturnType<typeof createWeft>, after?: number): Promise<number[]> => {
    const sequences: number[] = [];
    for await (const { sequence } of weft.events('e1', after === undefined ? {} : { after })) sequences.push(sequence);
    return sequences;
  };

  it('follows the events of a run over connections that are cut, each event once and in order', async () => {
    answer = ({ headers }, response) => {
      const after = Number(headers['last-event-id']);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (after >= 6) return response.end('event: end\ndata: {"reason":"complete"}\n\n');
      // Half of a frame is lost with the connection; the last event arrives again.
      response.write(`retry: 1\n\nevent: progress\ndata: {}\n\n${after > 0 ? frame(after) : ''}${frame(after + 1)}`);
      return response.write(`${frame(after + 2)}id: 9\nevent: node.fin`, () =>
        setTimeout(() => response.destroy(), 20),
      );
    };
    expect(await sequencesOf(createWeft({ baseUrl }), 1)).toEqual([2, 3, 4, 5, 6, 7]);
    expect(seen.map(({ headers }) => headers['last-event-id'])).toEqual(['1', '3', '5', '7']);
    expect(seen[0]?.headers['accept']).toBe('text/event-stream');
  });

  it('ends at once for a run whose events it has, and reconnects at the time limit of a stream', async () => {
    answer = (_, response) => response.writeHead(204).end();
    expect(await sequencesOf(createWeft({ baseUrl }), 5)).toEqual([]);
    answer = ({ headers }, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const end = headers['last-event-id'] === '0' ? 'time-limit' : 'complete';
      response.end(`${headers['last-event-id'] === '0' ? frame(1) : ''}event: end\ndata: {"reason":"${end}"}\n\n`);
    };
    expect(await sequencesOf(createWeft({ baseUrl }))).toEqual([1]);
  });

  it('closes the connection when the caller stops', async () => {
    let closed = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    answer = (_, response) => {
      response.once('close', closed);
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(frame(1));
    };
    for await (const { sequence } of createWeft({ baseUrl }).events('e1')) if (sequence === 1) break;
    await isClosed;
  }, 10_000);

  it('throws the error of a stream, and gives up on a server that sends nothing', async () => {
    const error = { code: 'FORBIDDEN', message: 'No.', details: { reason: 'FORBIDDEN' } };
    answer = (_, response) => json(response, 403, { error });
    await expect(sequencesOf(createWeft({ baseUrl }))).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
    answer = (_, response) => response.destroy();
    await expect(sequencesOf(createWeft({ baseUrl, retries: 1 }))).rejects.toMatchObject({ code: 'NO_ANSWER' });
  });

  it('reports a server that does not answer', async () => {
    const weft = createWeft({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
    await expect(weft.call('getVersion')).rejects.toMatchObject({ status: 0, code: 'NO_ANSWER' });
  });
});
