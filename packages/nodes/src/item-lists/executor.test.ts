import type { JsonObject } from '@weft/node-catalogue';
import { outputOf } from '../testing/cases/run-kind';

const items = [
  { id: 2, t: ['a', 'b'] },
  { id: 1, t: ['c'] },
];
const lists = (operation: string, parameters: JsonObject, version = 3.1) =>
  outputOf('itemLists', { version, items, parameters: { operation, ...parameters } });

describe('itemLists', () => {
  it.each([1, 2, 2.1, 2.2])('version %s does everything that later became separate kinds', async (version) => {
    expect(await lists('splitOutItems', { fieldToSplitOut: 't' }, version)).toEqual([
      { t: 'a' },
      { t: 'b' },
      { t: 'c' },
    ]);
    expect(
      await lists(
        'splitOutItems',
        { fieldToSplitOut: 't', include: 'selectedOtherFields', fieldsToInclude: { fields: [{ fieldName: 'id' }] } },
        version,
      ),
    ).toHaveLength(3);
    expect(
      await lists('aggregateItems', { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'id' }] } }, version),
    ).toEqual([{ id: [2, 1] }]);
    expect(await lists('limit', {}, version)).toEqual([items[0]]);
    expect(await lists('sort', { sortFieldsUi: { sortField: [{ fieldName: 'id' }] } }, version)).toEqual([
      items[1],
      items[0],
    ]);
    expect(
      await lists(
        'removeDuplicates',
        {
          compare: 'allFieldsExcept',
          fieldsToExclude: { fields: [{ fieldName: 'id' }, { fieldName: 't.0' }, { fieldName: 't.1' }] },
        },
        version,
      ),
    ).toEqual([items[0]]);
    expect(
      await lists('summarize', { fieldsToSummarize: { values: [{ aggregation: 'sum', field: 'id' }] } }, version),
    ).toEqual([{ sum_id: 3 }]);
  });

  it.each([3, 3.1])('version %s names aggregating concatenating', async (version) => {
    expect(
      await lists(
        'concatenateItems',
        { aggregate: 'aggregateAllItemData', include: 'specifiedFields', fieldsToInclude: 'id' },
        version,
      ),
    ).toEqual([{ data: [{ id: 2 }, { id: 1 }] }]);
  });

  it('requires fields before 2.1, and continues without them since', async () => {
    await expect(lists('splitOutItems', { fieldToSplitOut: 'nope' }, 2)).rejects.toThrow(
      "Couldn't find the field 'nope'",
    );
    expect(await lists('splitOutItems', { fieldToSplitOut: 'nope' }, 2.1)).toEqual([]);
    const aggregates = { fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'nope' }] } };
    await expect(lists('aggregateItems', aggregates, 2)).rejects.toThrow("Couldn't find the field 'nope'");
    expect(await lists('aggregateItems', aggregates, 2.1)).toEqual([{ nope: [] }]);
  });
});
