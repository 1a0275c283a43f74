import { KEYS } from './peers/identity';
import { startGateway, type TestGateway } from './start-gateway';

const body = { name: 'people', columns: [{ name: 'who', type: 'string' }] };
const AT = '2026-01-02T03:04:05.678Z';
const shown = { id: 't1', ...body, createdAt: AT, updatedAt: AT };

describe('POST /api/v1/data-tables', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('answers 201 with the table', async () => {
    const { status, json, headers } = await gateway.api('POST', '/data-tables', { key: KEYS.editor, body });
    expect([status, json, headers.get('location')]).toEqual([201, { data: shown }, '/api/v1/data-tables/t1']);
    expect(gateway.dataTables.callsOf('createDataTable')).toMatchObject([{ request: body }]);
  });

  it('is 400 for a body whose columns are none', async () => {
    const { status, json } = await gateway.api('POST', '/data-tables', {
      body: { columns: [1, { name: 'a', kind: 'x' }] },
    });
    expect([status, json.error?.details]).toMatchObject([
      400,
      {
        fields: [
          { field: 'name' },
          { field: 'columns[0]' },
          { field: 'columns[1].kind' },
          { field: 'columns[1].type' },
        ],
      },
    ]);
  });
});
