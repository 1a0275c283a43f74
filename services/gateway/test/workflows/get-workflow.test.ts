import { startGateway, type TestGateway } from '../support/start-gateway';

const REAL = {
  name: 'Größe „ü“ \u2028 </script>',
  nodes: [
    {
      id: 'n-1',
      name: 'Webhook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [-100.5, 20],
      parameters: { path: 'x', nested: { list: [1, 2.5, null, true, 'é'] } },
      webhookId: 'abc',
      credentials: { httpHeaderAuth: { id: '1', name: 'h' } },
      notes: '',
    },
    { name: 'Bare', type: 'weft-nodes-base.noOp' },
  ],
  connections: { Webhook: { main: [[{ node: 'Bare', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
  pinData: { Webhook: [{ json: { a: 1 } }] },
  tags: [{ id: 't', name: 'x' }],
  meta: null,
  versionId: 'their-version',
};

describe('GET /api/v1/workflows/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns every field of the contract and all other stored fields', async () => {
    await gateway.api('POST', '/workflows', { body: REAL });
    const { status, json, headers } = await gateway.api('GET', '/workflows/w1');
    expect(status).toBe(200);
    expect(json.data).toEqual({
      ...REAL,
      id: 'w1',
      active: false,
      createdAt: '2026-01-02T03:04:05.678Z',
      updatedAt: '2026-01-02T03:04:05.678Z',
    });
    expect(headers.get('etag')).toBe('"v1"');
  });

  it('returns a response that PUT accepts, and the same again after it', async () => {
    await gateway.api('POST', '/workflows', { body: REAL });
    const first = (await gateway.api('GET', '/workflows/w1')).json.data;
    expect((await gateway.api('PUT', '/workflows/w1', { body: first })).status).toBe(200);
    const again = (await gateway.api('GET', '/workflows/w1')).json.data;
    expect(again).toEqual({ ...Object(first), updatedAt: expect.any(String) });
  });

  it('is 304 without a body while If-None-Match has the current state, and complete after a change', async () => {
    await gateway.api('POST', '/workflows', { body: REAL });
    const read = (tag: string) => gateway.api('GET', '/workflows/w1', { headers: { 'if-none-match': tag } });
    const { headers } = await gateway.api('GET', '/workflows/w1');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    for (const tag of ['"v1"', 'W/"v1"', '"other", "v1"', '*']) {
      const { status, text, headers: same } = await read(tag);
      expect([status, text, same.get('etag'), same.get('content-type')]).toEqual([304, '', '"v1"', null]);
    }
    expect((await read('"other", "v1-active"')).status).toBe(200);
    await gateway.api('POST', '/workflows/w1/activate');
    const { status, json, headers: changed } = await read('"v1"');
    expect([status, changed.get('etag')]).toEqual([200, '"v1-active"']);
    expect(json.data).toMatchObject({ id: 'w1', active: true, name: REAL.name });
  });

  it('is 404 for an unknown id, whatever If-None-Match has', async () => {
    expect((await gateway.api('GET', '/workflows/w9', { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });

  it('returns the bytes of the definition as stored', async () => {
    const members = '"name":"n", "nodes":[],"connections":{}, "big":12345678901234567890123,\n"b" : 1.0';
    await gateway.api('POST', '/workflows', { body: ` { ${members} } ` });
    expect((await gateway.api('GET', '/workflows/w1')).text).toBe(
      '{"data":{"id":"w1","active":false,"createdAt":"2026-01-02T03:04:05.678Z",' +
        `"updatedAt":"2026-01-02T03:04:05.678Z",${members}}}`,
    );
  });
});
