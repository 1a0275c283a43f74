import type { JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const items = [
  { n: 'Bo', v: 3 },
  { n: 'al', v: 1 },
  { n: 'Cy', v: 2 },
  { n: 'al', v: 0 },
];
const by = (...sortField: JsonObject[]): JsonObject => ({ sortFieldsUi: { sortField } });

describe('sort', () => {
  it('sorts by several fields in order, ignoring case', async () => {
    expect(
      await outputOf('sort', { items, parameters: by({ fieldName: 'n' }, { fieldName: 'v', order: 'ascending' }) }),
    ).toEqual([items[3], items[1], items[0], items[2]]);
    expect(await outputOf('sort', { items, parameters: by({ fieldName: 'v', order: 'descending' }) })).toEqual([
      items[0],
      items[2],
      items[1],
      items[3],
    ]);
  });

  it('preserves the order of equal items, and links each to itself', async () => {
    const { items: given } = await runKind('sort', { items, parameters: by({ fieldName: 'n' }) });
    expect(given[0]?.map((item) => item.pairedItem)).toEqual([{ item: 1 }, { item: 3 }, { item: 0 }, { item: 2 }]);
  });

  it('rejects a field that no item has', async () => {
    await expect(outputOf('sort', { items, parameters: by({ fieldName: 'zz' }) })).rejects.toThrow(
      "Couldn't find the field 'zz'",
    );
    await expect(outputOf('sort', { items })).rejects.toThrow('No sorting specified');
  });

  it('loses nothing in random order', async () => {
    const shuffled = await outputOf('sort', { items, parameters: { type: 'random' } });
    expect(shuffled).toHaveLength(4);
    expect(shuffled).toEqual(expect.arrayContaining(items));
  });
});
