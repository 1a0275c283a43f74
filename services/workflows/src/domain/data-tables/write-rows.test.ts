import { scoped } from '@weft/service-kit/visibility';
import type { ScopedTables } from '../scoped-stores';
import { setImmediate } from 'node:timers/promises';
import type { DataTable, Row, RowStore } from './data-table';
import { addRows, addUnlessMatched } from './write-rows';

const table: DataTable = {
  id: '018f0000-0000-7000-8000-000000000001',
  name: 't',
  columns: [],
  ownerId: 'u',
  isShared: false,
  createdAt: new Date(),
  updatedAt: new Date(),
};
const refuse = (): Promise<never> => Promise.reject(new Error('Not part of this test.'));

/** Stores with a table of this many rows, or with a deleted one. */
const ports = (rows: number | undefined) => {
  const counts: number[] = [];
  const tables: ScopedTables = scoped({
    page: refuse,
    findByName: refuse,
    count: refuse,
    insert: refuse,
    update: refuse,
    remove: refuse,
    countDeleted: refuse,
    find: (_: string) => Promise.resolve(rows === undefined ? undefined : table),
    takeRowIds: () => Promise.resolve(undefined),
    setRowCount: (_: string, count: number) => {
      counts.push(count);
      return Promise.resolve();
    },
  });
  const store: RowStore = {
    query: refuse,
    insert: refuse,
    inTurn: refuse,
    insertUnlessTaken: refuse,
    lastInserted: refuse,
    update: refuse,
    findWritten: refuse,
    removeRows: refuse,
    removeAll: refuse,
    storeDeletion: refuse,
    findDeletion: refuse,
    count: () => Promise.resolve(rows ?? 0),
    findInserted: () => Promise.resolve([]),
  };
  return { tables, rows: store, counts };
};

describe('addRows', () => {
  it('reports a full table only after counting its rows again', async () => {
    const full = ports(50_000);
    await expect(addRows(full, table, [{}], 'mark')).rejects.toMatchObject({
      reason: 'DATA_TABLE_FULL',
      details: { dataTableId: table.id, limit: '50000' },
    });
    expect(full.counts).toEqual([50_000]);
  });

  it('leaves no rows behind in a table that is deleted meanwhile', async () => {
    const gone = ports(undefined);
    const stored = new Set<string>();
    const rows: RowStore = {
      ...gone.rows,
      insert: (tableId) => Promise.resolve(void stored.add(tableId)),
      removeAll: (tableId) => Promise.resolve(void stored.delete(tableId)),
    };
    const tables = { ...gone.tables, takeRowIds: () => Promise.resolve(1) };
    await expect(addRows({ tables, rows }, table, [{}], 'mark')).rejects.toMatchObject({
      reason: 'DATA_TABLE_NOT_FOUND',
    });
    expect([...stored]).toEqual([]);
  });

  it('reports a deleted table', async () => {
    await expect(addRows(ports(undefined), table, [{}], 'mark')).rejects.toMatchObject({
      reason: 'DATA_TABLE_NOT_FOUND',
    });
  });
});

describe('addUnlessMatched', () => {
  it('adds rows of one filter in turn, so that a later upsert changes the row of an earlier one', async () => {
    const added: Row[] = [];
    let inserting = 0;
    let atOnce = 0;
    const { rows, tables } = ports(0);
    let last: Promise<unknown> = Promise.resolve();
    const store: RowStore = {
      ...rows,
      inTurn: (_, work) => {
        const mine = last.then(work);
        last = mine;
        return mine;
      },
      lastInserted: () => Promise.resolve(undefined),
      insertUnlessTaken: async (_, row) => {
        atOnce = Math.max(atOnce, (inserting += 1));
        await setImmediate();
        inserting -= 1;
        added.push(row);
        return true;
      },
    };
    const upsert = () =>
      addUnlessMatched(
        { tables: { ...tables, takeRowIds: () => Promise.resolve(1) }, rows: store },
        table,
        { matchAll: true, conditions: [] },
        {},
        'operation',
        () => Promise.resolve([...added]),
      );
    const changed = await Promise.all([upsert(), upsert(), upsert()]);
    expect(atOnce).toBe(1);
    expect(added).toHaveLength(1);
    expect(changed.map((one) => one.length)).toEqual([1, 1, 1]);
  });
});
