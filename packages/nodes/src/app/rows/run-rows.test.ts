import type { AppDocument, AppRows } from '@weft/app-model';
import type { Json, JsonObject } from '@weft/node-catalogue';
import type { SeenRequest } from '@weft/outbound/testing';
import { type AppTestRun, runAppKind } from '../testing/run-app';
import { type ServiceAnswer, testService } from '../testing/test-service';

/** Tables of a service, by name, and its answers that are not the usual ones. */
interface Service {
  readonly tables: Map<string, Json[][]>;
  readonly requests: SeenRequest[];
  /** Answers in place of the table. */
  special: (seen: SeenRequest) => ServiceAnswer | undefined;
}

describe('rows', () => {
  let service: Service;
  const server = testService((seen) => {
    service.requests.push(seen);
    return service.special(seen) ?? { body: serve(service, seen) };
  });
  beforeEach(() => {
    service = { tables: new Map(), requests: [], special: () => undefined };
    service.tables.set('pets', [
      ['id', 'name'],
      ['1', 'Ada'],
    ]);
  });

  const PARTS: Record<AppRows['mode'], Partial<AppRows>> = {
    append: { mapping: { from: 'columns' }, columns: { call: 'api' }, append: { call: 'api' } },
    update: { mapping: { from: 'columns' }, columns: { call: 'api' }, write: { call: 'api' } },
    upsert: { mapping: { from: 'columns' }, columns: { call: 'api' }, write: { call: 'api' }, append: { call: 'api' } },
    read: { find: { filters: '={{ $p.filters }}', matchesAll: '={{ true }}', until: "={{ 'lastRow' }}" } },
  };
  const post = (what: string, body: JsonObject) =>
    ({ call: 'api', method: 'POST', path: `={{ '/' + $p.table + '/${what}' }}`, body }) as const;
  const appWith = (mode: AppRows['mode'], over: Partial<AppRows> = {}): AppDocument => {
    const rows: AppRows = {
      mode,
      rowNumber: 'row_number',
      read: { call: 'api', path: "={{ '/' + $p.table }}", table: 'values' },
      ...PARTS[mode],
      ...(mode === 'read'
        ? {}
        : {
            extra: '={{ $p.extra }}',
            columns: post('header', { header: '={{ $header }}' }),
            ...(mode === 'append' ? {} : { write: post('cells', { cells: '={{ $cells }}' }) }),
            ...(mode === 'update' ? {} : { append: post('append', { rows: '={{ $rows }}' }) }),
          }),
      ...over,
    };
    return {
      weftApp: 1,
      name: 'test',
      label: 'Test',
      hosts: ['127.0.0.1'],
      credentials: {},
      calls: { api: { url: server.url } },
      kinds: {
        testApp: {
          label: 'Test',
          description: 'Test.',
          versions: [1],
          groups: ['input'],
          parameters: [
            { name: 'table', label: 'Table', type: 'string', default: 'pets' },
            { name: 'columns', label: 'Columns', type: 'resourceMapper' },
            { name: 'extra', label: 'Extra', type: 'string', default: '' },
            { name: 'filters', label: 'Filters', type: 'json', default: [] },
          ],
          operations: { default: { rows } },
        },
      },
    };
  };
  const run = (app: AppDocument, over: Partial<AppTestRun> = {}) => runAppKind({ app, http: server.client, ...over });
  const json = (result: Awaited<ReturnType<typeof run>>) => result.items.map((item) => item.json);
  const automatic = { mappingMode: 'autoMapInputData', value: {}, matchingColumns: ['id'] };
  const manual = (value: JsonObject): JsonObject => ({ mappingMode: 'defineBelow', value, matchingColumns: ['id'] });
  const paths = (): string[] => service.requests.map(({ method, path }) => `${method} ${path}`);

  it('reads and writes a table once for all items', async () => {
    const items = Array.from({ length: 50 }, (_, id) => ({ id: String(id), name: `n${id}` }));
    const result = await run(appWith('upsert'), { items, parameters: { columns: automatic } });
    expect(result.error).toBeUndefined();
    expect(paths()).toEqual(['GET /pets', 'POST /pets/cells', 'POST /pets/append']);
    expect(service.tables.get('pets')?.slice(0, 3)).toEqual([
      ['id', 'name'],
      ['1', 'n1'],
      ['0', 'n0'],
    ]);
    expect(json(result)).toEqual(items);
    expect(result.items.map((item) => item.pairedItem)).toEqual(items.map((_, item) => ({ item })));
  });

  it('writes the items of each table together, whatever their order', async () => {
    service.tables.set('birds', [['id', 'name']]);
    const items = ['pets', 'birds', 'pets'].map((table, id) => ({ table, id: `x${id}`, name: table }));
    const columns = manual({ id: '={{ $json.id }}', name: '={{ $json.name }}' });
    const result = await run(appWith('append'), { items, parameters: { table: '={{ $json.table }}', columns } });
    expect(json(result)).toEqual(items.map(({ id, name }) => ({ id, name })));
    expect(service.tables.get('birds')).toEqual([
      ['id', 'name'],
      ['x1', 'birds'],
    ]);
    expect(service.tables.get('pets')?.slice(2)).toEqual([
      ['x0', 'pets'],
      ['x2', 'pets'],
    ]);
  });

  it('adds columns for other fields before it writes', async () => {
    await run(appWith('upsert'), {
      items: [
        { id: '1', age: 3 },
        { id: '2', kind: 'dog' },
      ],
      parameters: { columns: automatic },
    });
    expect(paths()).toEqual(['GET /pets', 'POST /pets/header', 'POST /pets/cells', 'POST /pets/append']);
    expect(service.tables.get('pets')).toEqual([
      ['id', 'name', 'age', 'kind'],
      ['1', 'Ada', 3],
      ['2', '', '', 'dog'],
    ]);
  });

  it('ignores them or fails if the node says so, without a write', async () => {
    const of = (extra: string) =>
      run(appWith('append'), { items: [{ id: '2', age: 3 }], parameters: { columns: automatic, extra } });
    await of('ignoreIt');
    expect(service.tables.get('pets')?.[2]).toEqual(['2', '']);
    service.requests.length = 0;
    expect((await of('error')).error?.message).toBe('The table has no column for these fields: age.');
    expect(paths()).toEqual(['GET /pets']);
  });

  it('writes the other items if one cannot be mapped and the node continues', async () => {
    const columns = manual({ id: '={{ $json.id }}', name: 'new' });
    const result = await run(appWith('upsert'), {
      items: [{ id: '1' }, {}, { id: '3' }],
      parameters: { columns },
      continueOnFail: true,
    });
    expect(json(result)).toEqual([
      { id: '1', name: 'new' },
      { error: 'The column to match on, "id", has no value.' },
      { id: '3', name: 'new' },
    ]);
    expect(service.tables.get('pets')).toEqual([
      ['id', 'name'],
      ['1', 'new'],
      ['3', 'new'],
    ]);
  });

  it.each<[string, AppRows['mode'], JsonObject, string]>([
    [
      'a missing header',
      'update',
      { table: 'none', columns: automatic },
      'The table has no names of columns in row 1.',
    ],
    [
      'no column to match on',
      'update',
      { columns: { mappingMode: 'autoMapInputData' } },
      'does not say which column to match on',
    ],
    [
      'a column to match on that the table does not have',
      'update',
      { columns: { ...automatic, matchingColumns: ['x'] }, extra: 'ignoreIt' },
      'no column "x" to match on',
    ],
    ['no values', 'append', { columns: manual({}) }, 'The item has no values to write.'],
    ['an unknown way of mapping', 'append', { columns: { mappingMode: 'magic' } }, 'unknown mode "magic"'],
    [
      'a wrong row number',
      'update',
      { columns: { ...automatic, matchingColumns: ['row_number'] } },
      'null is not the number of a row.',
    ],
    [
      'a filter on a column that the table does not have',
      'read',
      { filters: [{ column: 'age', value: 1 }] },
      'The table has no column "age".',
    ],
  ])('fails with %s, and says so', async (_what, mode, parameters, message) => {
    const result = await run(appWith(mode), { items: [{ id: '1' }], parameters });
    expect(result.error?.message).toContain(message);
    expect(paths().filter((path) => path.startsWith('POST'))).toEqual([]);
  });

  it('refuses to add items when a column of the mapping has gone', async () => {
    const schema = [{ id: 'id' }, { id: 'gone' }, { id: 'row_number' }];
    const columns = { ...manual({ id: '2' }), schema };
    const result = await run(appWith('append', { keepsColumns: '={{ true }}' }), { parameters: { columns } });
    expect(result.error?.description).toContain('gone');
    expect(result.error?.description).not.toContain('row_number');
  });

  it('reads a table once for items with the same request, each with its own filters', async () => {
    service.tables.set('pets', [
      ['id', 'name'],
      ['1', 'Ada'],
      ['2', 'Bo'],
    ]);
    const result = await run(appWith('read'), {
      items: [{ id: '2' }, { id: '1' }, { id: '9' }],
      parameters: { filters: "={{ [{ column: 'id', value: $json.id }] }}" },
    });
    expect(paths()).toEqual(['GET /pets']);
    expect(json(result)).toEqual([
      { row_number: 3, id: '2', name: 'Bo' },
      { row_number: 2, id: '1', name: 'Ada' },
    ]);
    expect(result.items.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
  });

  it('waits without a slot for a long delay, and appends every row once', async () => {
    let refusals = 1;
    service.special = ({ path }) =>
      path.endsWith('/append') && refusals-- > 0
        ? { status: 429, headers: { 'retry-after': '60' }, body: {} }
        : undefined;
    const result = await run(appWith('upsert'), {
      items: [
        { id: '1', name: 'New' },
        { id: '2', name: 'Bo' },
      ],
      parameters: { columns: automatic },
    });
    expect(result.waits).toEqual([60_000]);
    expect(result.error).toBeUndefined();
    expect(service.tables.get('pets')).toEqual([
      ['id', 'name'],
      ['1', 'New'],
      ['2', 'Bo'],
    ]);
  });

  it('does not write a table again that was written before a wait', async () => {
    service.tables.set('birds', [['id']]);
    let refusals = 1;
    service.special = ({ path }) =>
      path === '/birds/append' && refusals-- > 0
        ? { status: 429, headers: { 'retry-after': '60' }, body: {} }
        : undefined;
    const result = await run(appWith('append'), {
      items: [{ id: '5' }, { id: '6' }],
      parameters: { table: "={{ $json.id === '5' ? 'pets' : 'birds' }}", columns: automatic },
    });
    expect(json(result)).toEqual([{ id: '5' }, { id: '6' }]);
    expect(service.tables.get('pets')?.slice(2)).toEqual([['5', '']]);
    expect(service.tables.get('birds')).toEqual([['id'], ['6']]);
  });

  it.each<[string, unknown]>([
    ['text', { values: 'x' }],
    ['a list of objects', { values: [{ a: 1 }] }],
    ['an error', { error: 'no' }],
  ])('survives a service that answers with %s in place of a table', async (_what, body) => {
    service.special = () => ({ body });
    const result = await run(appWith('read'));
    const isEmpty = JSON.stringify(body).includes('error');
    expect(result.error?.message).toBe(
      isEmpty ? undefined : 'Test answered without a table where the app expects one.',
    );
    expect(result.items).toEqual([]);
  });
});

/** A service of tables: reads one, replaces its header, sets cells, and appends rows. */
function serve({ tables }: Service, { method, path, body }: SeenRequest): unknown {
  const [, name = '', what] = path.split('/');
  const table = tables.get(name) ?? [];
  tables.set(name, table);
  if (method === 'GET') return { values: table };
  const given: { header?: Json[]; cells?: { column: string; row: number; value: Json }[]; rows?: Json[][] } =
    JSON.parse(body);
  if (what === 'header') table[0] = given.header ?? [];
  for (const { column, row, value } of given.cells ?? []) {
    const cells = (table[row - 1] ??= []);
    const index = column.charCodeAt(0) - 65;
    while (cells.length < index) cells.push('');
    cells[index] = value;
  }
  table.push(...(given.rows ?? []));
  return {};
}
