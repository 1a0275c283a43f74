import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase } from '@weft/service-kit/mongo';
import { closeAfterEach, testMongodbUri } from '@weft/service-kit/testing';
import { dataTableModel } from '../../src/store/data-tables/data-table-schema';
import { createRowStore } from '../../src/store/data-tables/row-store';
import { startService, type TestService } from '../support/start-service';

const COLUMNS = [
  { name: 'who', type: 'string' },
  { name: 'age', type: 'number' },
  { name: 'member', type: 'boolean' },
  { name: 'since', type: 'date' },
];
const PEOPLE = [
  { who: 'Ada', age: 36, member: true, since: '2024-01-01' },
  { who: 'bob', age: '20', member: 'false' },
  { who: 'Eve.', age: null },
  { who: '', age: 50, since: '2025-06-01T10:00:00+02:00' },
];

type Condition = readonly [column: string, condition: string, value?: unknown];

describe('rows of a data table', () => {
  const later = closeAfterEach();
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  let made = 0;
  const table = async (rows: readonly object[] = []) => {
    made += 1;
    const { dataTable } = await service.dataTables.createDataTable(
      { name: `Rows ${made}`, columns: COLUMNS, claim: undefined },
      service.as('u1', 'editor'),
    );
    const id = dataTable?.id ?? '';
    if (rows.length > 0) await insert(id, rows);
    return id;
  };
  const claim = () => {
    const executionId = uuidv7();
    service.executions.setClaim(executionId, { fence: 1, workflowId: 'w1' });
    return { executionId, fence: 1 };
  };
  const parse = (rows: readonly { id: number; valuesJson: string }[]) =>
    rows.map(({ id, valuesJson }) => ({ id, ...JSON.parse(valuesJson) }));
  const filterOf = (conditions: readonly Condition[], matchAll = false) => ({
    matchAll,
    conditions: conditions.map(([column, condition, value]) => ({
      column,
      condition,
      valueJson: value === undefined ? '' : JSON.stringify(value),
    })),
  });
  const insert = async (dataTableId: string, rows: readonly object[], operationId = uuidv7()) =>
    parse(
      (
        await service.dataTablesForRuns.insertRows({
          dataTableId,
          valuesJson: rows.map((row) => JSON.stringify(row)),
          operationId,
          claim: claim(),
        })
      ).rows,
    );
  const query = (dataTableId: string, conditions: readonly Condition[] = [], more: object = {}) =>
    service.dataTablesForRuns.queryRows({
      dataTableId,
      filter: filterOf(conditions),
      orderBy: '',
      descending: false,
      limit: 100,
      cursor: '',
      claim: claim(),
      ...more,
    });
  const ids = async (...params: Parameters<typeof query>) => (await query(...params)).rows.map(({ id }) => id);
  const change = async (
    method: 'updateRows' | 'upsertRow',
    dataTableId: string,
    conditions: readonly Condition[],
    values: object,
    operationId = uuidv7(),
  ) =>
    parse(
      (
        await service.dataTablesForRuns[method]({
          dataTableId,
          filter: filterOf(conditions),
          valuesJson: JSON.stringify(values),
          operationId,
          claim: claim(),
        })
      ).rows,
    );
  const remove = async (dataTableId: string, conditions: readonly Condition[], operationId = uuidv7()) =>
    parse(
      (
        await service.dataTablesForRuns.deleteRows({
          dataTableId,
          filter: filterOf(conditions),
          operationId,
          claim: claim(),
        })
      ).rows,
    );

  it('store values by the types of their columns, and null for missing values', async () => {
    const id = await table();
    expect(await insert(id, PEOPLE)).toEqual([
      { id: 1, who: 'Ada', age: 36, member: true, since: '2024-01-01T00:00:00.000Z' },
      { id: 2, who: 'bob', age: 20, member: false, since: null },
      { id: 3, who: 'Eve.', age: null, member: null, since: null },
      { id: 4, who: '', age: 50, member: null, since: '2025-06-01T08:00:00.000Z' },
    ]);
    const [row] = (await query(id)).rows;
    expect([row?.createdAt, row?.updatedAt]).toEqual([expect.any(Date), expect.any(Date)]);
  });

  it.each([
    [{ age: 'old' }, 'age'],
    [{ member: 'perhaps' }, 'member'],
    [{ since: 'soon' }, 'since'],
    [{ none: 1 }, 'none'],
    [{ id: 5 }, 'id'],
  ])('refuses the values %j', async (values, field) => {
    await expect(insert(await table(), [{ who: 'x' }, values])).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: `valuesJson[1].${field}` }],
    });
  });

  describe('queries', () => {
    let id: string;
    beforeAll(async () => {
      id = await table(PEOPLE);
    });

    it.each<[Condition, number[]]>([
      [['who', 'eq', 'Ada'], [1]],
      [
        ['who', 'neq', 'Ada'],
        [2, 3, 4],
      ],
      [
        ['age', 'gt', 20],
        [1, 4],
      ],
      [
        ['age', 'gte', '20'],
        [1, 2, 4],
      ],
      [['age', 'lt', 36], [2]],
      [
        ['age', 'lte', 36],
        [1, 2],
      ],
      [['age', 'eq', null], [3]],
      [['age', 'isEmpty'], [3]],
      [
        ['age', 'isNotEmpty'],
        [1, 2, 4],
      ],
      [['who', 'isEmpty'], [4]],
      [['member', 'isTrue'], [1]],
      [['member', 'isFalse'], [2]],
      [['who', 'like', 'B'], []],
      [['who', 'ilike', 'B'], [2]],
      [['who', 'like', 'A%'], [1]],
      [['who', 'ilike', '%e%'], [3]],
      [['who', 'like', 'E_e.'], []],
      [['who', 'like', '.'], [3]],
      [['since', 'gt', '2024-06-01'], [4]],
      [['since', 'eq', '2024-01-01T00:00:00Z'], [1]],
      [
        ['id', 'gte', 3],
        [3, 4],
      ],
      [
        ['createdAt', 'gt', '2020-01-01'],
        [1, 2, 3, 4],
      ],
    ])('find by %j', async (condition, found) => {
      expect(await ids(id, [condition])).toEqual(found);
    });

    it('match any condition, or all', async () => {
      const both: Condition[] = [
        ['age', 'gt', 30],
        ['member', 'isFalse'],
      ];
      expect(await ids(id, both)).toEqual([1, 2, 4]);
      expect(
        await ids(id, [], {
          filter: filterOf(
            [
              ['age', 'gt', 30],
              ['who', 'isEmpty'],
            ],
            true,
          ),
        }),
      ).toEqual([4]);
    });

    it('return pages in the requested order', async () => {
      expect(await ids(id, [], { orderBy: 'age', descending: true })).toEqual([4, 1, 2, 3]);
      for (const [orderBy, descending, all] of [
        ['', false, [1, 2, 3, 4]],
        ['', true, [4, 3, 2, 1]],
        ['who', false, [4, 1, 3, 2]],
      ] as const) {
        const first = await query(id, [], { orderBy, descending, limit: 3 });
        const second = await query(id, [], { orderBy, descending, limit: 3, cursor: first.nextCursor });
        expect([...first.rows, ...second.rows].map((row) => row.id)).toEqual(all);
        expect(second.nextCursor).toBe('');
      }
    });

    it.each<[Condition]>([
      [['none', 'eq', 1]],
      [['age', 'eq', 'old']],
      [['age', 'like', '1']],
      [['who', 'matches', 'x']],
      [['who', 'like', '%a%b%c%d%e%']],
    ])('refuse %j', async (condition) => {
      await expect(query(id, [condition])).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    });

    it('return rows of the table only', async () => {
      expect(await ids(await table(), [['who', 'isNotEmpty']])).toEqual([]);
    });
  });

  it('adds rows once if the operation is repeated', async () => {
    const id = await table();
    const first = await insert(id, [{ who: 'a' }, { who: 'b' }], 'op');
    expect(await insert(id, [{ who: 'a' }, { who: 'b' }], 'op')).toEqual(first);
    // It was interrupted and had more to add.
    expect((await insert(id, [{ who: 'a' }, { who: 'b' }, { who: 'c' }], 'op')).map(({ who }) => who)).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(await ids(id)).toHaveLength(3);
  });

  it('gives every row a unique id when many are added at once', async () => {
    const id = await table();
    await Promise.all(Array.from({ length: 20 }, (_, index) => insert(id, [{ age: index }, { age: index }])));
    expect((await ids(id)).sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });

  it('updates matching rows, and returns the same rows if the operation is repeated', async () => {
    const id = await table(PEOPLE);
    const rows = await change('updateRows', id, [['age', 'lt', 40]], { age: 99 }, 'op');
    expect(rows.map((row) => [row.id, row.who, row.age])).toEqual([
      [1, 'Ada', 99],
      [2, 'bob', 99],
    ]);
    expect(await change('updateRows', id, [['age', 'lt', 40]], { age: 99 }, 'op')).toEqual(rows);
    expect(await change('updateRows', id, [['who', 'eq', 'nobody']], { age: 1 })).toEqual([]);
    await expect(change('updateRows', id, [], { age: 1 })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  it('updates or adds by an upsert, once', async () => {
    const id = await table(PEOPLE);
    expect(
      (await change('upsertRow', id, [['who', 'eq', 'bob']], { who: 'bob', age: 21 })).map((row) => [row.id, row.age]),
    ).toEqual([[2, 21]]);
    const added = await change('upsertRow', id, [['who', 'eq', 'new']], { who: 'newer', age: 1 }, 'op');
    expect(added).toMatchObject([{ id: 5, who: 'newer' }]);
    expect(await change('upsertRow', id, [['who', 'eq', 'new']], { who: 'newer', age: 1 }, 'op')).toEqual(added);
    expect(await ids(id)).toHaveLength(5);
  });

  it('adds one row for concurrent upserts of the same key', async () => {
    const id = await table(PEOPLE);
    const all = await Promise.all(
      Array.from({ length: 12 }, (_, age) => change('upsertRow', id, [['who', 'eq', 'both']], { who: 'both', age })),
    );
    expect(new Set(all.flat().map((row) => row.id)).size).toBe(1);
    expect((await query(id)).rows.filter(({ valuesJson }) => valuesJson.includes('"both"'))).toHaveLength(1);
    await remove(id, [['who', 'eq', 'both']]);
    const [again, other] = await Promise.all([
      change('upsertRow', id, [['who', 'eq', 'both']], { who: 'both' }),
      change('upsertRow', id, [['who', 'eq', 'third']], { who: 'third' }),
    ]);
    expect([again, other].map((rows) => rows.length)).toEqual([1, 1]);
    expect(await ids(id)).toHaveLength(6);
  });

  it('adds no second row if an upsert is repeated after others changed its row', async () => {
    const id = await table(PEOPLE);
    const first = await change('upsertRow', id, [['who', 'eq', 'bob']], { age: 21 }, 'changes');
    const second = await change('upsertRow', id, [['who', 'eq', 'new']], { who: 'new' }, 'adds');
    await change('updateRows', id, [['who', 'eq', 'bob']], { who: 'robert' });
    await change('updateRows', id, [['who', 'eq', 'new']], { who: 'old' });
    expect(
      (await change('upsertRow', id, [['who', 'eq', 'bob']], { age: 21 }, 'changes')).map((row) => row.id),
    ).toEqual(first.map((row) => row.id));
    expect(
      (await change('upsertRow', id, [['who', 'eq', 'new']], { who: 'new' }, 'adds')).map((row) => row.id),
    ).toEqual(second.map((row) => row.id));
    expect(await ids(id)).toHaveLength(5);
  });

  it('deletes matching rows, and returns the same rows if the operation is repeated', async () => {
    const id = await table(PEOPLE);
    const rows = await remove(id, [['age', 'gt', 30]], 'op');
    expect(rows.map((row) => [row.id, row.since])).toEqual([
      [1, '2024-01-01T00:00:00.000Z'],
      [4, '2025-06-01T08:00:00.000Z'],
    ]);
    await insert(id, [{ who: 'later', age: 60 }]);
    expect(await remove(id, [['age', 'gt', 30]], 'op')).toEqual(rows);
    expect(await ids(id)).toEqual([2, 3, 5]);
    await expect(remove(id, [])).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  it('counts rows again before it reports a full table', async () => {
    const id = await table(PEOPLE);
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    const setCount = (rows: number) =>
      dataTableModel(database.connection).updateOne({ _id: id }, { $set: { rows } }).exec();
    await setCount(50_000);
    expect(await insert(id, [{ who: 'fits' }])).toHaveLength(1);
    expect((await dataTableModel(database.connection).findById(id).exec())?.rows).toBe(5);
  });

  it('changes and deletes up to 5000 rows at once, and none if more match', async () => {
    const id = await table();
    const database = later(await connectDatabase(testMongodbUri(), service.database), (open) => open.close());
    const now = new Date();
    const rowOf = (row: number) => ({
      id: row,
      cells: { age: 7 },
      insertedBy: `t:${row}`,
      createdAt: now,
      updatedAt: now,
    });
    await createRowStore(database.connection).insert(
      id,
      Array.from({ length: 5_001 }, (_, index) => rowOf(index + 1)),
    );
    const seven: Condition = ['age', 'eq', 7];
    await expect(change('updateRows', id, [seven], { age: 8 })).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    await expect(remove(id, [seven])).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    expect((await query(id, [['age', 'eq', 8]])).rows).toEqual([]);
    expect((await query(id, [seven])).rows).toHaveLength(100);
  });

  it('limits rows, insertions, pages and conditions', async () => {
    const id = await table();
    await expect(insert(id, [{ who: 'x'.repeat(262_144) }])).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    await expect(
      insert(
        id,
        Array.from({ length: 1_001 }, () => ({})),
      ),
    ).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(query(id, [], { limit: 1_001 })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(
      query(
        id,
        Array.from({ length: 21 }, (): Condition => ['age', 'eq', 1]),
      ),
    ).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  it('lets runs of any workflow, the owner and administrators write', async () => {
    const dataTableId = await table();
    const request = { dataTableId, valuesJson: ['{"who":"x"}'], operationId: '', claim: undefined };
    await expect(service.dataTables.insertRows(request, service.as('u2', 'editor'))).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    for (const user of [service.as('u1', 'editor'), service.as('u2', 'owner')])
      expect((await service.dataTables.insertRows(request, user)).rows).toHaveLength(1);
  });
});
