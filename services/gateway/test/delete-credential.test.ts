import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'My header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'very-secret' } };

describe('DELETE /api/v1/credentials/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('answers success, and 404 when repeated', async () => {
    await gateway.api('POST', '/credentials', { body });
    const { status, json } = await gateway.api('DELETE', '/credentials/c1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    const again = await gateway.api('DELETE', '/credentials/c1');
    expect([again.status, again.json.error?.details]).toEqual([404, { credentialId: 'c1' }]);
  });
});
