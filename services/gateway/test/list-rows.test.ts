import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'people', columns: [{ name: 'who', type: 'string' }] };
const AT = '2026-01-02T03:04:05.678Z';
const row = { id: 1, createdAt: AT, updatedAt: AT, who: 'Ada' };

describe('GET /api/v1/data-tables/:id/rows', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
    await gateway.api('POST', '/data-tables/t1/rows', { body: { rows: [{ who: 'Ada' }, { who: 'Bob' }] } });
  });
  afterEach(() => gateway.stop());

  it('gives all rows', async () => {
    const { status, json } = await gateway.api('GET', '/data-tables/t1/rows');
    expect([status, json]).toEqual([200, { data: [row, { ...row, id: 2, who: 'Bob' }] }]);
  });

  it('gives a page when it is asked for one', async () => {
    const { json } = await gateway.api('GET', '/data-tables/t1/rows?limit=1');
    expect(json).toEqual({ data: [row], nextCursor: '1' });
  });

  it('is 404 for a table that does not exist', async () => {
    const none = await gateway.api('GET', '/data-tables/none/rows');
    expect([none.status, none.json.error?.details]).toEqual([404, { dataTableId: 'none' }]);
  });
});
