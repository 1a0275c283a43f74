import { memoryDataTables } from '@weft/engine/testing';
import type { KindCases } from '../testing/cases/node-case';

const BOTH = [1, 1.1];
const AT = '2026-01-02T03:04:05.678Z';
const times = { createdAt: AT, updatedAt: AT };
const ada = { id: 1, ...times, who: 'Ada', age: 36 };
const bob = { id: 2, ...times, who: 'Bob', age: 20 };
const eve = { id: 3, ...times, who: 'Eve', age: null };
const people = () =>
  memoryDataTables([{ name: 'people', rows: [{ who: 'Ada', age: 36 }, { who: 'Bob', age: 20 }, { who: 'Eve' }] }]);
const BY_ID = { __rl: true, mode: 'id', value: 't1' };
const where = (keyName: string, keyValue: string | number, condition = 'eq') => ({
  filters: { conditions: [{ keyName, condition, keyValue }] },
});
const named = { dataTableId: BY_ID, ...where('who', '={{ $json.name }}') };
const columns = { mappingMode: 'defineBelow', value: { who: '={{ $json.name }}', age: 1 } };

/**
 * The cases of Data table. The tables are in memory; test/data/data-table-rows.test.ts of the workflows service covers
 * stored ones.
 */
export const dataTableCases: KindCases = {
  kind: 'dataTable',
  cases: [
    {
      it: 'adds a row for each item',
      versions: BOTH,
      run: () => ({
        items: [{ name: 'x' }, { name: 'y' }],
        dataTables: people(),
        parameters: { dataTableId: BY_ID, columns },
      }),
      gives: [
        [
          { id: 4, ...times, who: 'x', age: 1 },
          { id: 5, ...times, who: 'y', age: 1 },
        ],
      ],
      pairs: [[{ item: 0 }, { item: 1 }]],
    },
    {
      it: 'adds rows from the fields of the items',
      versions: BOTH,
      run: () => ({
        items: [{ who: 'x', id: 9 }],
        dataTables: people(),
        parameters: { dataTableId: BY_ID, columns: { mappingMode: 'autoMapInputData' } },
      }),
      gives: [[{ id: 4, ...times, who: 'x', age: null }]],
    },
    {
      it: 'outputs the number of rows if configured',
      versions: BOTH,
      run: () => ({
        items: [{ name: 'x' }, { name: 'y' }],
        dataTables: people(),
        parameters: { dataTableId: BY_ID, columns, options: { optimizeBulk: true } },
      }),
      gives: [[{ success: true, insertedRows: 2 }]],
    },
    {
      it: 'returns the rows that match, for each item',
      versions: BOTH,
      run: () => ({
        items: [{ name: 'Bob' }, { name: 'none' }, { name: 'Ada' }],
        dataTables: people(),
        parameters: { operation: 'get', ...named },
      }),
      gives: [[bob, ada]],
      pairs: [[{ item: 0 }, { item: 2 }]],
    },
    {
      it: 'returns all rows without a condition',
      versions: BOTH,
      run: () => ({ dataTables: people(), parameters: { operation: 'get', dataTableId: BY_ID, returnAll: true } }),
      gives: [[ada, bob, eve]],
    },
    {
      it: 'returns rows up to the limit, in order',
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: {
          operation: 'get',
          dataTableId: BY_ID,
          limit: 2,
          orderBy: true,
          orderByColumn: 'age',
          orderByDirection: 'DESC',
        },
      }),
      gives: [[ada, bob]],
    },
    {
      it: 'compares the id if a condition has no column',
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: { operation: 'get', dataTableId: BY_ID, filters: { conditions: [{ keyValue: 2 }] } },
      }),
      gives: [[bob]],
    },
    {
      it: 'returns rows for which all conditions hold',
      versions: BOTH,
      gives: [[ada]],
      run: () => ({
        dataTables: people(),
        parameters: {
          operation: 'get',
          dataTableId: BY_ID,
          matchType: 'allConditions',
          filters: {
            conditions: [
              { keyName: 'age', condition: 'gt', keyValue: 1 },
              { keyName: 'who', keyValue: 'Ada' },
            ],
          },
        },
      }),
    },
    {
      it: 'finds a table by its name',
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: { operation: 'get', dataTableId: { __rl: true, mode: 'name', value: 'people' }, limit: 1 },
      }),
      gives: [[ada]],
    },
    {
      it: 'finds a table selected in another instance by its name there',
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: {
          operation: 'get',
          dataTableId: { __rl: true, mode: 'list', value: 'yOfWQK9CB3soT3Ai', cachedResultName: 'people' },
          limit: 1,
        },
      }),
      gives: [[ada]],
    },
    {
      it: 'reports a table that does not exist',
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: { operation: 'get', dataTableId: { mode: 'name', value: 'pets' } },
      }),
      fails: 'No data table "pets" exists',
    },
    {
      it: 'passes on items that have a row, unchanged',
      versions: BOTH,
      run: () => ({
        items: [{ name: 'Bob', n: 1 }, { name: 'x' }],
        dataTables: people(),
        parameters: { operation: 'rowExists', ...named },
      }),
      gives: [[{ name: 'Bob', n: 1 }]],
      pairs: [[{ item: 0 }]],
    },
    {
      it: 'passes on items that have no row, unchanged',
      versions: BOTH,
      run: () => ({
        items: [{ name: 'Bob' }, { name: 'x' }],
        dataTables: people(),
        parameters: { operation: 'rowNotExists', ...named },
      }),
      gives: [[{ name: 'x' }]],
      pairs: [[{ item: 1 }]],
    },
    {
      it: 'changes the rows that match',
      versions: BOTH,
      run: () => ({
        items: [{ name: 'Bob' }, { name: 'x' }],
        dataTables: people(),
        parameters: { operation: 'update', ...named, columns: { mappingMode: 'defineBelow', value: { age: 21 } } },
      }),
      gives: [[{ ...bob, age: 21 }]],
    },
    {
      it: 'updates rows or adds one',
      versions: BOTH,
      run: () => ({
        items: [{ name: 'Bob' }, { name: 'x' }],
        dataTables: people(),
        parameters: { operation: 'upsert', ...named, columns },
      }),
      gives: [
        [
          { ...bob, age: 1 },
          { id: 4, ...times, who: 'x', age: 1 },
        ],
      ],
    },
    {
      it: 'deletes the rows that match, and outputs them',
      versions: BOTH,
      run: () => ({
        items: [{ name: 'Bob' }],
        dataTables: people(),
        parameters: { operation: 'deleteRows', ...named },
      }),
      gives: [[bob]],
    },
    {
      it: 'previews a change',
      versions: BOTH,
      run: () => ({
        items: [{ name: 'Bob' }],
        dataTables: people(),
        parameters: {
          operation: 'update',
          ...named,
          columns: { mappingMode: 'defineBelow', value: { age: 21 } },
          options: { dryRun: true },
        },
      }),
      gives: [
        [
          { ...bob, dryRunState: 'before' },
          { ...bob, age: 21, dryRunState: 'after' },
        ],
      ],
    },
    ...['update', 'upsert', 'deleteRows', 'rowExists', 'rowNotExists'].map((operation) => ({
      it: `rejects ${operation} without a condition`,
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: { operation, dataTableId: BY_ID, columns, filters: { conditions: [{ keyName: '' }] } },
      }),
      fails: 'At least one condition is required',
    })),
    {
      it: 'lists tables',
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: { resource: 'table', operation: 'list', options: { filterName: 'PEO' } },
      }),
      gives: [
        [
          {
            id: 't1',
            name: 'people',
            columns: [
              { name: 'who', type: 'string' },
              { name: 'age', type: 'string' },
            ],
            createdAt: AT,
            updatedAt: AT,
          },
        ],
      ],
    },
    {
      it: 'creates a table',
      versions: BOTH,
      run: () => ({
        dataTables: memoryDataTables([]),
        parameters: {
          resource: 'table',
          operation: 'create',
          tableName: 'new',
          columns: { column: [{ name: 'a', type: 'string' }] },
        },
      }),
      gives: [[{ id: 't1', name: 'new', columns: [{ name: 'a', type: 'string' }], createdAt: AT, updatedAt: AT }]],
    },
    {
      it: 'returns an existing table',
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: {
          resource: 'table',
          operation: 'create',
          tableName: 'people',
          options: { createIfNotExists: true },
        },
      }),
      gives: [
        [
          {
            id: 't1',
            name: 'people',
            columns: [
              { name: 'who', type: 'string' },
              { name: 'age', type: 'string' },
            ],
            createdAt: AT,
            updatedAt: AT,
          },
        ],
      ],
    },
    {
      it: 'renames a table',
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: { resource: 'table', operation: 'update', dataTableId: BY_ID, newName: 'persons' },
      }),
      gives: [[{ success: true, name: 'persons' }]],
    },
    {
      it: 'deletes a table',
      versions: BOTH,
      run: () => ({ dataTables: people(), parameters: { resource: 'table', operation: 'delete', dataTableId: BY_ID } }),
      gives: [[{ success: true, deletedTableId: 't1' }]],
    },
    {
      it: 'deletes all rows of a table, keeps the table, and outputs their number',
      versions: BOTH,
      run: () => ({
        dataTables: people(),
        parameters: { resource: 'table', operation: 'clear', dataTableId: BY_ID },
      }),
      gives: [[{ success: true, deletedCount: 3 }]],
      pairs: [[{ item: 0 }]],
    },
  ],
};
