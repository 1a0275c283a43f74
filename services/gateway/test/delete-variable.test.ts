import { startGateway, type TestGateway } from './start-gateway';

const body = { key: 'API_URL', value: 'https://api' };

describe('DELETE /api/v1/variables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/variables', { body });
  });
  afterEach(() => gateway.stop());

  it('answers success, and 404 when repeated', async () => {
    const { status, json } = await gateway.api('DELETE', '/variables/var1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    const again = await gateway.api('DELETE', '/variables/var1');
    expect([again.status, again.json.error?.details]).toEqual([404, { variableId: 'var1' }]);
  });
});
