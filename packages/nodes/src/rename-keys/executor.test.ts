import type { JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const item = { first_name: 'A', nested: { last_name: 'B', list: [{ zip_code: 1 }] } };
const keys = (...pairs: [string, string][]): JsonObject => ({
  keys: { key: pairs.map(([currentKey, newKey]) => ({ currentKey, newKey })) },
});
const regex = (searchRegex: string, replaceRegex: string, options: JsonObject = {}): JsonObject => ({
  additionalOptions: { regexReplacement: { replacements: [{ searchRegex, replaceRegex, options }] } },
});
const given = (parameters: JsonObject) => outputOf('renameKeys', { version: 1, items: [item], parameters });

describe('renameKeys 1', () => {
  it('renames fields by path and ignores missing ones', async () => {
    expect(
      await given(keys(['first_name', 'name'], ['nested.last_name', 'nested.surname'], ['none', 'x'], ['', 'y'])),
    ).toEqual([{ name: 'A', nested: { surname: 'B', list: [{ zip_code: 1 }] } }]);
    expect(item.nested.last_name).toBe('B');
  });

  it('renames matching fields, to the given depth', async () => {
    expect(await given(regex('(\\w+)_(\\w+)', '$2.$1'))).toEqual([
      { 'name.first': 'A', nested: { 'name.last': 'B', list: [{ 'code.zip': 1 }] } },
    ]);
    expect(await given(regex('_', '-', { depth: 0 }))).toEqual([{ 'first-name': 'A', nested: item.nested }]);
    expect(await given(regex('FIRST', 'x', { caseInsensitive: true }))).toEqual([{ x_name: 'A', nested: item.nested }]);
  });

  it('puts a renamed field after the others, or in place of one with the same name', async () => {
    const parameters = regex('^k', 'x');
    const { outputs } = await runKind('renameKeys', { items: [{ k1: 1, a: 2, k2: 3, x2: 4 }], parameters });
    expect(JSON.stringify(outputs[0])).toBe('[{"a":2,"x2":3,"x1":1}]');
  });

  it('preserves item linking, and replaces a failed item by the error if it continues', async () => {
    const { items } = await runKind('renameKeys', { items: [{ a: 1 }, { b: 2 }], parameters: keys(['a', 'b']) });
    expect(items[0]).toEqual([
      { json: { b: 1 }, pairedItem: { item: 0 } },
      { json: { b: 2 }, pairedItem: { item: 1 } },
    ]);
    const { outputs } = await runKind('renameKeys', {
      items: [{ a: 1 }],
      parameters: regex('(?=a)', ''),
      node: { onError: 'continueRegularOutput' },
    });
    expect(outputs[0]).toEqual([{ error: expect.stringContaining('cannot be used') }]);
  });

  it.each(['__proto__', '__proto__.polluted'])('never touches %s', async (to) => {
    expect(
      (await runKind('renameKeys', { items: [item], parameters: keys(['first_name', to]) })).error?.message,
    ).toContain('not allowed');
    expect(await given(regex('^first_name$', '__proto__'))).toEqual([item]);
  });
});
