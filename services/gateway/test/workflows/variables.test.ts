import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

const body = { key: 'API_URL', value: 'https://api' };
const shown = {
  id: 'var1',
  ...body,
  type: 'string',
  ownerId: 'user-1',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

describe('GET /api/v1/variables', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/variables', { body });
  });
  afterEach(() => gateway.stop());

  it('returns all of them', async () => {
    const { status, json } = await gateway.api('GET', '/variables');
    expect([status, json]).toEqual([200, { data: [shown] }]);
  });

  it('returns a page on request', async () => {
    await gateway.api('POST', '/variables', { body: { ...body, key: 'B' } });
    const { json } = await gateway.api('GET', '/variables?limit=1');
    expect(json).toEqual({ data: [shown], nextCursor: '1' });
  });
});

describe('GET /api/v1/variables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/variables', { body });
  });
  afterEach(() => gateway.stop());

  it('returns the variable with its ETag', async () => {
    const { status, json, headers } = await gateway.api('GET', '/variables/var1');
    expect([status, json, headers.get('etag')]).toEqual([200, { data: shown }, '"e-https://api"']);
  });
});

describe('POST /api/v1/variables', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('responds with 201 and the variable', async () => {
    const { status, json, headers } = await gateway.api('POST', '/variables', { key: KEYS.editor, body });
    expect([status, json, headers.get('location')]).toEqual([
      201,
      { data: { ...shown, ownerId: 'user-3' } },
      '/api/v1/variables/var1',
    ]);
    expect(gateway.variables.callsOf('createVariable')).toMatchObject([{ request: body }]);
  });

  it('is 400 for a body with a missing or an unknown field', async () => {
    const { status, json } = await gateway.api('POST', '/variables', { body: { key: 'a', name: 1 } });
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field: 'name' }, { field: 'value' }] }]);
  });
});

describe('PUT /api/v1/variables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/variables', { body });
  });
  afterEach(() => gateway.stop());

  it('replaces key and value, and accepts a response of GET', async () => {
    const { status, json } = await gateway.api('PUT', '/variables/var1', { body: { ...shown, value: 'new' } });
    expect([status, json]).toEqual([200, { data: { ...shown, value: 'new' } }]);
  });

  it('passes the ETags of If-Match on, for a deletion too, and returns the new one', async () => {
    const headers = { 'if-match': '"a", W/"b"' };
    const replaced = await gateway.api('PUT', '/variables/var1', { body: { ...body, value: 'new' }, headers });
    expect(replaced.headers.get('etag')).toBe('"e-new"');
    await gateway.api('DELETE', '/variables/var1', { headers });
    const condition = { etags: ['a', 'W/b'] };
    expect(gateway.variables.callsOf('replaceVariable')).toMatchObject([{ request: { condition } }]);
    expect(gateway.variables.callsOf('deleteVariable')).toMatchObject([{ request: { condition } }]);
  });

  it('is 404 for an unknown id', async () => {
    const { status, json } = await gateway.api('PUT', '/variables/none', { body });
    expect([status, json.error?.details]).toEqual([404, { variableId: 'none' }]);
  });
});

describe('DELETE /api/v1/variables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/variables', { body });
  });
  afterEach(() => gateway.stop());

  it('reports success, and 404 when repeated', async () => {
    const { status, json } = await gateway.api('DELETE', '/variables/var1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    const again = await gateway.api('DELETE', '/variables/var1');
    expect([again.status, again.json.error?.details]).toEqual([404, { variableId: 'var1' }]);
  });
});
