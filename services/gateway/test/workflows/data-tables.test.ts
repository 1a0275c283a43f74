import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

const body = { name: 'people', columns: [{ name: 'who', type: 'string' }] };
const AT = '2026-01-02T03:04:05.678Z';
const shown = { id: 't1', ...body, shared: false, ownerId: 'user-1', createdAt: AT, updatedAt: AT };

describe('GET /api/v1/data-tables', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
  });
  afterEach(() => gateway.stop());

  it('returns all of them without their rows', async () => {
    const { status, json } = await gateway.api('GET', '/data-tables');
    expect([status, json]).toEqual([200, { data: [shown] }]);
  });
});

describe('GET /api/v1/data-tables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
  });
  afterEach(() => gateway.stop());

  it('returns the table, or 404', async () => {
    const { status, json } = await gateway.api('GET', '/data-tables/t1', { key: KEYS.viewer });
    expect([status, json]).toEqual([200, { data: shown }]);
    const none = await gateway.api('GET', '/data-tables/none');
    expect([none.status, none.json.error?.details]).toEqual([404, { dataTableId: 'none' }]);
  });
});

describe('POST /api/v1/data-tables', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('responds with 201 and the table', async () => {
    const { status, json, headers } = await gateway.api('POST', '/data-tables', { key: KEYS.editor, body });
    expect([status, json, headers.get('location')]).toEqual([
      201,
      { data: { ...shown, ownerId: 'user-3' } },
      '/api/v1/data-tables/t1',
    ]);
    expect(gateway.dataTables.callsOf('createDataTable')).toMatchObject([{ request: body }]);
  });

  it('shares the rows of a table if requested, and as set by PUT from then on', async () => {
    const shared = async (method: string, path: string, sent: object): Promise<unknown> =>
      (await gateway.api(method, path, { body: sent })).json.data;
    expect(await shared('POST', '/data-tables', { ...body, shared: true })).toMatchObject({ shared: true });
    await shared('PUT', '/data-tables/t1', { name: 'people' });
    await shared('PUT', '/data-tables/t1', { name: 'people', shared: false });
    const requests = gateway.dataTables.callsOf('renameDataTable').map(({ request }) => request);
    expect(requests).toMatchObject([{ shared: undefined }, { shared: false }]);
    const wrong = await gateway.api('POST', '/data-tables', { body: { ...body, shared: 'yes' } });
    expect([wrong.status, wrong.json.error?.details]).toMatchObject([400, { fields: [{ field: 'shared' }] }]);
  });

  it('is 400 for a body with invalid columns', async () => {
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

describe('PUT /api/v1/data-tables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
  });
  afterEach(() => gateway.stop());

  it('renames it, and accepts a response of GET', async () => {
    const { status, json } = await gateway.api('PUT', '/data-tables/t1', { body: { ...shown, name: 'persons' } });
    expect([status, json]).toEqual([200, { data: { ...shown, name: 'persons' } }]);
  });

  it('is 404 for an unknown id', async () => {
    const none = await gateway.api('PUT', '/data-tables/none', { body });
    expect([none.status, none.json.error?.details]).toEqual([404, { dataTableId: 'none' }]);
  });
});

describe('DELETE /api/v1/data-tables/:id', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
  });
  afterEach(() => gateway.stop());

  it('reports success, and 404 when repeated', async () => {
    const { status, json } = await gateway.api('DELETE', '/data-tables/t1');
    expect([status, json]).toEqual([200, { data: { success: true } }]);
    expect((await gateway.api('DELETE', '/data-tables/t1')).status).toBe(404);
  });
});

const row = { id: 1, createdAt: AT, updatedAt: AT, who: 'Ada' };

describe('GET /api/v1/data-tables/:id/rows', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
    await gateway.api('POST', '/data-tables/t1/rows', { body: { rows: [{ who: 'Ada' }, { who: 'Bob' }] } });
  });
  afterEach(() => gateway.stop());

  it('returns all rows', async () => {
    const { status, json } = await gateway.api('GET', '/data-tables/t1/rows');
    expect([status, json]).toEqual([200, { data: [row, { ...row, id: 2, who: 'Bob' }] }]);
  });

  it('returns a page on request', async () => {
    const { json } = await gateway.api('GET', '/data-tables/t1/rows?limit=1');
    expect(json).toEqual({ data: [row], nextCursor: '1' });
  });

  it('is 404 for an unknown table', async () => {
    const none = await gateway.api('GET', '/data-tables/none/rows');
    expect([none.status, none.json.error?.details]).toEqual([404, { dataTableId: 'none' }]);
  });
});

describe('POST /api/v1/data-tables/:id/rows', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
  });
  afterEach(() => gateway.stop());

  it('responds with 201 and the rows', async () => {
    const { status, json } = await gateway.api('POST', '/data-tables/t1/rows', {
      key: KEYS.editor,
      body: { rows: [{ who: 'Ada' }] },
    });
    expect([status, json]).toEqual([201, { data: [row] }]);
  });

  it('is 400 for invalid rows, 404 for an unknown table', async () => {
    const { status, json } = await gateway.api('POST', '/data-tables/t1/rows', { body: { rows: [{}, 1] } });
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field: 'rows[1]' }] }]);
    const wrong = await gateway.api('POST', '/data-tables/t1/rows', { body: { rows: [{ town: 'Ulm' }] } });
    expect([wrong.status, wrong.json.error?.details]).toMatchObject([400, { fields: [{ field: 'rows[0].town' }] }]);
    const none = await gateway.api('POST', '/data-tables/none/rows', { body: { rows: [] } });
    expect([none.status, none.json.error?.details]).toEqual([404, { dataTableId: 'none' }]);
  });
});

describe('the rows of a data table that match a filter', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
    await gateway.api('POST', '/data-tables/t1/rows', { body: { rows: [{ who: 'Ada' }, { who: 'Bob' }] } });
  });
  afterEach(() => gateway.stop());

  const filter = { matchAll: true, conditions: [{ column: 'who', condition: 'eq', value: 'Ada' }] };
  const sent = { matchAll: true, conditions: [{ column: 'who', condition: 'eq', valueJson: '"Ada"' }] };
  const values = { who: 'Eve' };
  const change = { dataTableId: 't1', filter: sent, valuesJson: '{"who":"Eve"}', operationId: '' };
  const post = (path: string, data: unknown, key = KEYS.owner) =>
    gateway.api('POST', `/data-tables/t1/rows/${path}`, { key, body: data });
  const requests = (method: string) => gateway.dataTables.callsOf(method).map(({ request }) => request);
  const fieldsOf = async (path: string, data: unknown) => (await post(path, data)).json.error?.details;

  describe('POST /api/v1/data-tables/:id/rows/query', () => {
    it('returns them in any order and page by page, to viewers too', async () => {
      const order = { orderBy: 'who', descending: true };
      const { status, json } = await post('query', { filter, ...order, limit: 1, cursor: '0' }, KEYS.viewer);
      expect([status, json]).toEqual([200, { data: [row], nextCursor: '1' }]);
      expect(requests('queryRows')).toEqual([
        { dataTableId: 't1', filter: sent, ...order, limit: 1, cursor: '0', claim: undefined },
      ]);
      expect((await post('query', {})).json).toMatchObject({ data: [{ id: 1 }, { id: 2 }], nextCursor: null });
    });

    it('is 400 for an invalid filter, with every field', async () => {
      const wrong = { conditions: [{ column: 'who', value: ['Ada'] }] };
      expect(await fieldsOf('query', { filter: wrong, limit: 0 })).toMatchObject({
        fields: [
          { field: 'filter.conditions[0].condition' },
          { field: 'filter.conditions[0].value' },
          { field: 'limit' },
        ],
      });
    });
  });

  describe('POST /api/v1/data-tables/:id/rows/update', () => {
    it('returns the changed rows', async () => {
      const { status, json } = await post('update', { filter, values }, KEYS.editor);
      expect([status, json]).toEqual([200, { data: [{ ...row, who: 'Eve' }] }]);
      expect(requests('updateRows')).toMatchObject([change]);
    });

    it('is 400 without values or for an unknown column, which are named as they were sent', async () => {
      expect(await fieldsOf('update', { filter })).toMatchObject({ fields: [{ field: 'values' }] });
      expect(await fieldsOf('update', { filter, values: { town: 'Ulm' } })).toMatchObject({
        fields: [{ field: 'values.town' }],
      });
    });
  });

  describe('POST /api/v1/data-tables/:id/rows/upsert', () => {
    it('passes filter and values on, and returns the rows', async () => {
      expect((await post('upsert', { filter, values })).json).toEqual({ data: [] });
      expect(requests('upsertRow')).toMatchObject([change]);
    });
  });

  describe('POST /api/v1/data-tables/:id/rows/delete', () => {
    it('returns the deleted rows', async () => {
      expect((await post('delete', { filter })).json).toEqual({ data: [row] });
      expect(requests('deleteRows')).toMatchObject([{ dataTableId: 't1', filter: sent, operationId: '' }]);
    });

    it('deletes nothing for a viewer, or without a filter', async () => {
      expect((await post('delete', { filter }, KEYS.viewer)).status).toBe(403);
      expect(await fieldsOf('delete', {})).toMatchObject({ fields: [{ field: 'filter' }] });
      expect(gateway.dataTables.rows).toHaveLength(2);
    });
  });
});

describe('one row of a data table', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
    await gateway.api('POST', '/data-tables', { body });
    await gateway.api('POST', '/data-tables/t1/rows', { body: { rows: [{ who: 'Ann' }] } });
  });
  afterEach(() => gateway.stop());

  const idFilter = { matchAll: true, conditions: [{ column: 'id', condition: 'eq', valueJson: '1' }] };

  describe('PUT /api/v1/data-tables/:id/rows/:rowId', () => {
    it('changes the row, and returns it', async () => {
      const { status, json } = await gateway.api('PUT', '/data-tables/t1/rows/1', { body: { values: { who: 'Bo' } } });
      expect([status, json.data]).toEqual([200, { id: 1, createdAt: AT, updatedAt: AT, who: 'Bo' }]);
      expect(gateway.dataTables.callsOf('updateRows')).toMatchObject([
        { request: { dataTableId: 't1', filter: idFilter, valuesJson: '{"who":"Bo"}' } },
      ]);
      const refused = await gateway.api('PUT', '/data-tables/t1/rows/1', { body: { values: { town: 'x' } } });
      expect([refused.status, refused.json.error?.details]).toEqual([
        400,
        { fields: [expect.objectContaining({ field: 'values.town' })] },
      ]);
    });
  });

  describe('DELETE /api/v1/data-tables/:id/rows/:rowId', () => {
    it('deletes the row, and is 404 when repeated', async () => {
      expect((await gateway.api('DELETE', '/data-tables/t1/rows/1')).json.data).toEqual({ success: true });
      const { status, json } = await gateway.api('DELETE', '/data-tables/t1/rows/1');
      expect([status, json.error?.details]).toEqual([404, { dataTableId: 't1', rowId: '1' }]);
      expect(gateway.dataTables.callsOf('deleteRows')).toMatchObject([{ request: { filter: idFilter } }, {}]);
    });
  });

  it.each(['0', 'x', '1.5', '-1', '99999999999'])('has no row %s, and asks no service', async (ref) => {
    expect((await gateway.api('DELETE', `/data-tables/t1/rows/${ref}`)).status).toBe(404);
    expect((await gateway.api('PUT', `/data-tables/t1/rows/${ref}`, { body: { values: {} } })).status).toBe(404);
    expect(gateway.dataTables.callsOf('deleteRows')).toEqual([]);
  });
});
