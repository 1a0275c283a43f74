import type { JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import { memoryDataTables } from '@weft/engine/testing';
import { outputOf, runKind } from '../testing/cases/run-kind';

const people = () => memoryDataTables([{ name: 'people', rows: [{ who: 'Ada', age: 36 }], columns: ['who', 'age'] }]);
const BY_NAME = { dataTableId: { mode: 'name', value: 'people' } };
const auto = { columns: { mappingMode: 'autoMapInputData' } };

describe('Data table', () => {
  it('adds nothing when it runs again after a crash', async () => {
    const dataTables = people();
    const run = () =>
      outputOf('dataTable', { items: [{ who: 'x' }, { who: 'y' }], dataTables, parameters: { ...BY_NAME, ...auto } });
    const first = await run();
    expect(await run()).toEqual(first);
    expect(dataTables.rowsOf('people')).toHaveLength(3);
  });

  it('returns the table that another run has just created, if it reuses existing tables', async () => {
    const existing = people();
    const create = (createIfNotExists: boolean) => {
      let searches = 0;
      const dataTables = {
        ...existing,
        find: (by: Parameters<typeof existing.find>[0]) => {
          searches += 1;
          return searches === 1 ? Promise.resolve(undefined) : existing.find(by);
        },
        create: () => Promise.reject(new NodeFailure('Another data table is called people.')),
      };
      const options = { createIfNotExists };
      const parameters = { resource: 'table', operation: 'create', tableName: 'people', options };
      return runKind('dataTable', { dataTables, parameters });
    };
    expect((await create(true)).outputs[0]).toMatchObject([{ name: 'people' }]);
    expect((await create(false)).error?.message).toBe('Another data table is called people.');
  });

  it('adds many rows in batches, in order', async () => {
    const dataTables = people();
    const items = Array.from({ length: 1_201 }, (_, age): JsonObject => ({ age }));
    const {
      items: [given = []],
    } = await runKind('dataTable', { items, dataTables, parameters: { ...BY_NAME, ...auto } });
    expect(given.map(({ json, pairedItem }) => [json['age'], pairedItem])).toEqual(
      items.map(({ age }, item) => [age, { item }]),
    );
  });

  it('returns all rows, beyond one page', async () => {
    const dataTables = memoryDataTables([
      { name: 'people', rows: Array.from({ length: 2_300 }, (_, age) => ({ age })) },
    ]);
    const get = (parameters: JsonObject) =>
      outputOf('dataTable', { dataTables, parameters: { operation: 'get', ...BY_NAME, ...parameters } });
    expect(await get({ returnAll: true })).toHaveLength(2_300);
    expect([(await get({ limit: 1_500 })).length, (await get({})).length]).toEqual([1_500, 50]);
  });

  it('replaces failed items by errors if it continues, and adds the others', async () => {
    const dataTables = people();
    const run = (onError: string) =>
      runKind('dataTable', {
        items: [{ who: 'x' }, { none: 1 }, { who: 'y' }],
        dataTables,
        parameters: { ...BY_NAME, ...auto },
        node: { onError },
      });
    const { outputs } = await run('continueRegularOutput');
    expect(outputs[0]).toEqual([
      expect.objectContaining({ who: 'x' }),
      { error: 'The table has no column none.' },
      expect.objectContaining({ who: 'y' }),
    ]);
    expect((await run('stopWorkflow')).error?.message).toBe('The table has no column none.');
  });

  it('previews a deletion and an insertion without changing anything', async () => {
    const dataTables = people();
    const run = (operation: string, keyValue: string) =>
      outputOf('dataTable', {
        dataTables,
        parameters: {
          operation,
          ...BY_NAME,
          columns: { mappingMode: 'defineBelow', value: { who: 'new' } },
          filters: { conditions: [{ keyName: 'who', keyValue }] },
          options: { dryRun: true },
        },
      });
    const nothing = { id: null, createdAt: null, updatedAt: null, who: null, age: null };
    expect(await run('deleteRows', 'Ada')).toEqual([
      expect.objectContaining({ id: 1, who: 'Ada', dryRunState: 'before' }),
      { ...nothing, id: 1, dryRunState: 'after' },
    ]);
    expect(await run('upsert', 'none')).toEqual([
      { ...nothing, dryRunState: 'before' },
      { ...nothing, who: 'new', dryRunState: 'after' },
    ]);
    expect(dataTables.rowsOf('people')).toEqual([{ id: 1, who: 'Ada', age: 36 }]);
  });
});
