import { startGateway, type TestGateway } from '../support/start-gateway';

describe('DELETE /api/v1/workflows/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('reports success, and 404 when repeated', async () => {
    await gateway.api('POST', '/workflows', { body: { name: 'One', nodes: [], connections: {} } });
    const { status, json } = await gateway.api('DELETE', '/workflows/w1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    expect(gateway.workflows.stored.size).toBe(0);
    const again = await gateway.api('DELETE', '/workflows/w1');
    expect([again.status, again.json.error]).toEqual([
      404,
      { code: 'INVALID_REQUEST', message: 'No workflow has the id w1.', details: { workflowId: 'w1' } },
    ]);
  });

  it('deletes only if If-Match has the current state, otherwise 412', async () => {
    await gateway.api('POST', '/workflows', { body: { name: 'One', nodes: [], connections: {} } });
    const remove = (tag: string) => gateway.api('DELETE', '/workflows/w1', { headers: { 'if-match': tag } });
    const { status, json } = await remove('"v0"');
    expect([status, json.error?.code]).toEqual([412, 'PRECONDITION_FAILED']);
    expect((await remove('v1')).status).toBe(400);
    expect(gateway.workflows.stored.size).toBe(1);
    expect((await remove('"v0", "v1"')).status).toBe(200);
  });
});
