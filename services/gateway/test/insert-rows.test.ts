import { KEYS } from './peers/identity';
import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'people', columns: [{ name: 'who', type: 'string' }] };
const AT = '2026-01-02T03:04:05.678Z';
const row = { id: 1, createdAt: AT, updatedAt: AT, who: 'Ada' };

describe('POST /api/v1/data-tables/:id/rows', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
  });
  afterEach(() => gateway.stop());

  it('answers 201 with the rows', async () => {
    const { status, json } = await gateway.api('POST', '/data-tables/t1/rows', {
      key: KEYS.editor,
      body: { rows: [{ who: 'Ada' }] },
    });
    expect([status, json]).toEqual([201, { data: [row] }]);
  });

  it('is 400 for rows that are none, 404 for a table that does not exist', async () => {
    const { status, json } = await gateway.api('POST', '/data-tables/t1/rows', { body: { rows: [{}, 1] } });
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field: 'rows[1]' }] }]);
    const none = await gateway.api('POST', '/data-tables/none/rows', { body: { rows: [] } });
    expect([none.status, none.json.error?.details]).toEqual([404, { dataTableId: 'none' }]);
  });
});
