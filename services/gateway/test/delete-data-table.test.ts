import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'people', columns: [{ name: 'who', type: 'string' }] };

describe('DELETE /api/v1/data-tables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
  });
  afterEach(() => gateway.stop());

  it('answers success, and 404 when repeated', async () => {
    const { status, json } = await gateway.api('DELETE', '/data-tables/t1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    expect((await gateway.api('DELETE', '/data-tables/t1')).status).toBe(404);
  });
});
