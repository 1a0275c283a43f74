import type { JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const items = [
  { id: 1, name: 'a', age: 1 },
  { id: 1, name: 'a', age: 2 },
  { id: 2, name: 'a', age: 1 },
  { id: 1, name: 'a', age: 1 },
];
const remove = (parameters: JsonObject, version = 2) => outputOf('removeDuplicates', { version, items, parameters });

describe('removeDuplicates', () => {
  it.each([1, 1.1, 2])('version %s keeps the first of equal items', async (version) => {
    expect(await remove({}, version)).toEqual([items[0], items[1], items[2]]);
    expect(await remove({ compare: 'selectedFields', fieldsToCompare: 'id, name' }, version)).toEqual([
      items[0],
      items[2],
    ]);
    expect(await remove({ compare: 'allFieldsExcept', fieldsToExclude: 'id' }, version)).toEqual([items[0], items[1]]);
  });

  it('omits other fields if configured', async () => {
    expect(
      await remove({ compare: 'selectedFields', fieldsToCompare: 'name', options: { removeOtherFields: true } }),
    ).toEqual([{ name: 'a' }]);
  });

  it('treats objects with a different order of fields as equal', async () => {
    expect(
      await outputOf('removeDuplicates', {
        items: [{ o: { a: 1, b: 2 } }, { o: { b: 2, a: 1 } }],
        parameters: { compare: 'selectedFields', fieldsToCompare: 'o' },
      }),
    ).toHaveLength(1);
  });

  it('rejects a missing field, and values of different types', async () => {
    const run = (version: number, list: JsonObject[]) => runKind('removeDuplicates', { version, items: list });
    expect((await run(2, [{ a: { b: 1 } }, { a: {} }])).error?.message).toBe(
      "'a.b' field is missing from some input items",
    );
    expect((await run(1, [{ a: 1 }, { a: '1' }])).error?.message).toBe("'a' isn't always the same type");
    expect((await run(1.1, [{ a: 1 }, { a: '1' }])).error?.message).toBe("'a' isn't always the same type");
    expect((await run(1.1, [{ a: 1 }, { a: null }])).outputs[0]).toHaveLength(2);
  });
});
