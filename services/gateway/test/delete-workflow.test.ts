import { startGateway, type TestGateway } from './start-gateway';

describe('DELETE /api/v1/workflows/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('answers success, and 404 when repeated', async () => {
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
});
