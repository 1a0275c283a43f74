import type { JsonObject } from '@weft/node-catalogue';
import { openCode } from '../testing/open-code';
import { runKind, type KindResult } from '../testing/cases/run-kind';

const items = [
  { id: 3, tag: 'b' },
  { id: 1, tag: 'a' },
  { id: 2, tag: 'b' },
];
const pool = openCode(2_000);
afterAll(() => pool.close());

const byCode = (code: string, over: JsonObject = {}): Promise<KindResult> =>
  runKind('sort', { code: pool, items, parameters: { type: 'code', code }, node: over });

describe('sorting by code', () => {
  it('compares items as a and b, and preserves them, their item linking and the order of equal ones', async () => {
    const { outputs, items: given } = await byCode(
      '// Only the tag.\nif (a.json.tag === b.json.tag) return 0;\nreturn a.json.tag < b.json.tag ? -1 : 1;',
    );
    expect(outputs[0]).toEqual([items[1], items[0], items[2]]);
    expect(given[0]?.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 0 }, { item: 2 }]);
  });

  it.each([1, 2, 2.1, 2.2, 3, 3.1])('works in itemLists %s, with undeclared variables', async (version) => {
    const { outputs } = await runKind('itemLists', {
      version,
      code: pool,
      items,
      parameters: { operation: 'sort', type: 'code', code: "field = 'id'; return b.json[field] - a.json[field];" },
    });
    expect(outputs[0]).toEqual([items[0], items[2], items[1]]);
  });

  it('sees other nodes, and cannot change items', async () => {
    const { outputs } = await byCode(
      "a.json.tag = 'changed'; return (a.json.id - b.json.id) * $('Source 0').all().length;",
    );
    expect(outputs[0]).toEqual([items[1], items[2], items[0]]);
  });

  it('uses only the first item if the node runs once', async () => {
    expect((await byCode('return a.json.id - b.json.id', { executeOnce: true })).outputs[0]).toEqual([items[0]]);
  });

  it.each([
    [
      'returns nothing',
      'a.json.id > b.json.id',
      "Sort code doesn't return. Please add a 'return' statement to your code",
    ],
    ['fails', '\n\nreturn a.json.none.x', "Cannot read properties of undefined (reading 'x') [line 3]"],
    ['is not JavaScript', 'return )', /Unexpected/],
    ['never ends', 'for (;;) {} return 1', 'The code exceeded its time limit'],
    ['ends the comparison and forges an order', 'return 0; }) && [0, 0, 1]; (() => {', /does not compare two items/],
  ])('fails the node if it %s', async (_, code, message) => {
    expect((await byCode(code)).error?.message).toMatch(message);
  });
});
