import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'people', columns: [{ name: 'who', type: 'string' }] };
const AT = '2026-01-02T03:04:05.678Z';
const shown = { id: 't1', ...body, createdAt: AT, updatedAt: AT };

describe('PUT /api/v1/data-tables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
  });
  afterEach(() => gateway.stop());

  it('gives it another name, and takes back what GET gave', async () => {
    const { status, json } = await gateway.api('PUT', '/data-tables/t1', { body: { ...shown, name: 'persons' } });
    expect([status, json]).toEqual([200, { data: { ...shown, name: 'persons' } }]);
  });

  it('is 404 for an id that does not exist', async () => {
    const none = await gateway.api('PUT', '/data-tables/none', { body });
    expect([none.status, none.json.error?.details]).toEqual([404, { dataTableId: 'none' }]);
  });
});
