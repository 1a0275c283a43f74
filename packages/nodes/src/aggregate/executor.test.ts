import type { JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const items = [
  { n: 'a', v: 1, t: ['p', null] },
  { n: 'b', t: ['q'] },
  { n: null, v: 3, t: [] },
];
const fields = (...entries: JsonObject[]): JsonObject => ({ fieldsToAggregate: { fieldToAggregate: entries } });
const aggregate = (parameters: JsonObject) => outputOf('aggregate', { items, parameters });

describe('aggregate fields', () => {
  it('lists the values of each field, under another name if one is given', async () => {
    expect(
      await aggregate(
        fields({ fieldToAggregate: 'n' }, { fieldToAggregate: 'v', renameField: true, outputFieldName: 'values' }),
      ),
    ).toEqual([{ n: ['a', 'b'], values: [1, 3] }]);
  });

  it('includes missing values and merges arrays if configured', async () => {
    expect(await aggregate({ ...fields({ fieldToAggregate: 'v' }), options: { keepMissing: true } })).toEqual([
      { v: [1, null, 3] },
    ]);
    expect(await aggregate(fields({ fieldToAggregate: 't' }))).toEqual([{ t: [['p'], ['q'], []] }]);
    expect(await aggregate({ ...fields({ fieldToAggregate: 't' }), options: { mergeLists: true } })).toEqual([
      { t: ['p', 'q'] },
    ]);
  });

  it('names a nested field by its last part', async () => {
    expect(
      await outputOf('aggregate', { items: [{ a: { b: 1 } }], parameters: fields({ fieldToAggregate: 'a.b' }) }),
    ).toEqual([{ b: [1] }]);
  });

  it('rejects an empty list of fields, and one name for two fields', async () => {
    await expect(aggregate({})).rejects.toThrow('No fields specified');
    await expect(aggregate(fields({ fieldToAggregate: 'n' }, { fieldToAggregate: 'n' }))).rejects.toThrow(
      "'n' output field is used more than once",
    );
  });

  it('links its item to all input items', async () => {
    expect(
      (await runKind('aggregate', { items, parameters: fields({ fieldToAggregate: 'n' }) })).items[0]?.[0]?.pairedItem,
    ).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
  });
});

describe('aggregate whole items', () => {
  const whole = (over: JsonObject = {}) => aggregate({ aggregate: 'aggregateAllItemData', ...over });

  it('links the array to the items that have any of its fields', async () => {
    const parameters = { aggregate: 'aggregateAllItemData', include: 'specifiedFields', fieldsToInclude: 'a' };
    const { items: given } = await runKind('aggregate', { items: [{ a: 1 }, { b: 2 }, { a: 3 }], parameters });
    expect(given[0]?.[0]?.pairedItem).toEqual([{ item: 0 }, { item: 2 }]);
  });

  it('creates one array of them', async () => {
    expect(await whole()).toEqual([{ data: items }]);
    expect(await whole({ destinationFieldName: 'rows', include: 'specifiedFields', fieldsToInclude: 'v' })).toEqual([
      { rows: [{ v: 1 }, { v: 3 }] },
    ]);
    expect(await whole({ include: 'allFieldsExcept', fieldsToExclude: 't,v' })).toEqual([
      { data: [{ n: 'a' }, { n: 'b' }, { n: null }] },
    ]);
  });
});
