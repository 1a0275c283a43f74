import { executionOf } from './peers/executions';
import { startGateway, type TestGateway } from './start-gateway';

describe('DELETE /api/v1/executions/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('answers success and leaves the other executions alone; 404 when repeated', async () => {
    for (const id of ['e1', 'e2']) gateway.executions.stored.set(id, executionOf(id));
    const { status, json } = await gateway.api('DELETE', '/executions/e1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    expect([...gateway.executions.stored.keys()]).toEqual(['e2']);
    const again = await gateway.api('DELETE', '/executions/e1');
    expect([again.status, again.json.error?.details]).toEqual([404, { executionId: 'e1' }]);
  });
});
