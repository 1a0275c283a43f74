import type { JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const items = [{ id: 1, list: ['a', 'b'], rows: [{ x: 1 }, { x: 2 }], deep: { list: [7] }, other: true }];
const split = (parameters: JsonObject) => outputOf('splitOut', { items, parameters });

describe('splitOut', () => {
  it('creates an item from each entry, with the fields of objects', async () => {
    expect(await split({ fieldToSplitOut: 'list' })).toEqual([{ list: 'a' }, { list: 'b' }]);
    expect(await split({ fieldToSplitOut: 'rows' })).toEqual([{ x: 1 }, { x: 2 }]);
    expect(await split({ fieldToSplitOut: 'deep.list' })).toEqual([{ 'deep.list': 7 }]);
    expect(await split({ fieldToSplitOut: 'id' })).toEqual([{ id: 1 }]);
    expect(await split({ fieldToSplitOut: 'nope' })).toEqual([]);
    expect(await split({ fieldToSplitOut: 'deep' })).toEqual([{ 0: 7 }]);
  });

  it('links each to the item it comes from', async () => {
    const { items: given } = await runKind('splitOut', {
      items: [{ l: [1] }, { l: [2, 3] }],
      parameters: { fieldToSplitOut: 'l' },
    });
    expect(given[0]?.map((item) => item.pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 1 }]);
  });

  it('includes other fields as configured', async () => {
    expect(
      await split({ fieldToSplitOut: 'rows', include: 'selectedOtherFields', fieldsToInclude: 'id, other' }),
    ).toEqual([
      { rows: { x: 1 }, id: 1, other: true },
      { rows: { x: 2 }, id: 1, other: true },
    ]);
    const { list: _list, ...rest } = items[0] ?? { list: [] };
    expect(await split({ fieldToSplitOut: 'list', include: 'allOtherFields' })).toEqual([
      { ...rest, list: 'a' },
      { ...rest, list: 'b' },
    ]);
    await expect(split({ fieldToSplitOut: 'list', include: 'selectedOtherFields' })).rejects.toThrow(
      "'Fields To Include'",
    );
  });

  it('splits several fields in parallel, under separate names', async () => {
    expect(await split({ fieldToSplitOut: 'list, rows', options: { destinationFieldName: 'letter, row' } })).toEqual([
      { letter: 'a', row: { x: 1 } },
      { letter: 'b', row: { x: 2 } },
    ]);
    await expect(split({ fieldToSplitOut: 'list, rows', options: { destinationFieldName: 'one' } })).rejects.toThrow(
      'the same number',
    );
  });

  it('does not split names without dot notation', async () => {
    expect(await split({ fieldToSplitOut: 'deep.list', options: { disableDotNotation: true } })).toEqual([]);
  });
});
