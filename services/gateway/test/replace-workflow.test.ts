import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'Two', nodes: [], connections: {}, active: true };

describe('PUT /api/v1/workflows/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  beforeEach(() => gateway.api('POST', '/workflows', { body: { name: 'One', nodes: [], connections: {} } }));

  it('returns the complete new workflow with its new ETag and leaves active unchanged', async () => {
    const { status, json, headers } = await gateway.api('PUT', '/workflows/w1', { body });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({ id: 'w1', name: 'Two', active: false, nodes: [], connections: {} });
    expect(headers.get('etag')).toBe('"v1+"');
  });

  it('replaces only if If-Match has the current state, otherwise 412 and no change', async () => {
    expect((await gateway.api('PUT', '/workflows/w1', { body, headers: { 'if-match': '"v1"' } })).status).toBe(200);
    const late = await gateway.api('PUT', '/workflows/w1', {
      body: { ...body, name: 'Three' },
      headers: { 'if-match': '"v1"' },
    });
    expect([late.status, late.json.error?.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await gateway.api('PUT', '/workflows/w1', { body, headers: { 'if-match': 'W/"v1+"' } })).status).toBe(412);
    expect((await gateway.api('PUT', '/workflows/w1', { body, headers: { 'if-match': '*' } })).status).toBe(200);
    const either = { 'if-match': '"old", "v1++"' };
    expect((await gateway.api('PUT', '/workflows/w1', { body, headers: either })).status).toBe(200);
    expect(gateway.workflows.stored.get('w1')?.name).toBe('Two');
  });
});
