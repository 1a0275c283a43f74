import { isJsonObject, type JsonObject } from '@weft/node-catalogue';
import { outputOf, runKind } from '../testing/cases/run-kind';

const items = [
  { c: 'red', k: 1, v: 1 },
  { c: 'blue', k: 1, v: 2 },
  { c: 'red', k: 2, v: 4 },
  { c: 'red', k: 1, v: null },
];
const values = (...entries: JsonObject[]): JsonObject => ({ fieldsToSummarize: { values: entries } });
const summarize = (parameters: JsonObject, version = 1.1) => outputOf('summarize', { version, items, parameters });

describe('summarize', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ aggregation: 'sum', field: 'v' }, { sum_v: 7 }],
    [{ aggregation: 'average', field: 'v' }, { average_v: 7 / 3 }],
    [{ aggregation: 'min', field: 'v' }, { min_v: 1 }],
    [{ aggregation: 'max', field: 'v' }, { max_v: 4 }],
    [{ field: 'v' }, { count_v: 3 }],
    [{ aggregation: 'count', field: 'v', includeEmpty: true }, { count_v: 4 }],
    [{ aggregation: 'countUnique', field: 'c' }, { unique_count_c: 2 }],
    [{ aggregation: 'append', field: 'v' }, { appended_v: [1, 2, 4] }],
    [{ aggregation: 'concatenate', field: 'c', separateBy: '-' }, { concatenated_c: 'red-blue-red-red' }],
    [
      { aggregation: 'concatenate', field: 'k', separateBy: 'other', customSeparator: '/' },
      { concatenated_k: '1/1/2/1' },
    ],
    [{ aggregation: 'max', field: 'c' }, { max_c: 'red' }],
    [{ aggregation: 'min', field: 'nope' }, { min_nope: null }],
  ])('%j gives %j', async (entry, expected) => {
    expect(await summarize(values(entry))).toEqual([expected]);
  });

  it('outputs an item for each group, in the order of their first item', async () => {
    const parameters = { ...values({ aggregation: 'sum', field: 'v' }), fieldsToSplitBy: 'c, k' };
    expect(await summarize(parameters)).toEqual([
      { c: 'red', k: 1, sum_v: 1 },
      { c: 'red', k: 2, sum_v: 4 },
      { c: 'blue', k: 1, sum_v: 2 },
    ]);
    expect((await summarize(parameters, 1))[0]).toEqual({ c: 'red', k: '1', sum_v: 1 });
  });

  it('puts the fields of a group after the values, in reverse order', async () => {
    const parameters = { ...values({ aggregation: 'sum', field: 'v' }), fieldsToSplitBy: 'c, k' };
    expect(JSON.stringify((await summarize(parameters))[0])).toBe('{"sum_v":1,"k":1,"c":"red"}');
  });

  it('lists groups with the same first fields together', async () => {
    const rows = [
      { a: 1, b: 1, c: 1 },
      { a: 1, b: 2, c: 1 },
      { a: 1, b: 1, c: 2 },
    ];
    const given = await outputOf('summarize', {
      version: 1.1,
      items: rows,
      parameters: { ...values({ field: 'a' }), fieldsToSplitBy: 'a,b,c' },
    });
    expect(given).toEqual([
      { ...rows[0], count_a: 1 },
      { ...rows[2], count_a: 1 },
      { ...rows[1], count_a: 1 },
    ]);
  });

  it('outputs one item with nested groups', async () => {
    const parameters = { ...values({ field: 'v' }), fieldsToSplitBy: 'c,k', options: { outputFormat: 'singleItem' } };
    expect(await summarize(parameters)).toEqual([
      { red: { 1: { count_v: 1 }, 2: { count_v: 1 } }, blue: { 1: { count_v: 1 } } },
    ]);
  });

  it('links an item to those it is made from', async () => {
    const { items: given } = await runKind('summarize', {
      version: 1.1,
      items,
      parameters: { ...values({ field: 'v' }), fieldsToSplitBy: 'c' },
    });
    expect(given[0]?.map((item) => item.pairedItem)).toEqual([[{ item: 0 }, { item: 2 }, { item: 3 }], [{ item: 1 }]]);
  });

  it('rejects a missing field only in version 1, and ignores it if configured', async () => {
    await expect(summarize(values({ field: 'nope' }), 1)).rejects.toThrow(
      "The field 'nope' does not exist in any items",
    );
    expect(
      await summarize(
        { ...values({ field: 'nope' }), fieldsToSplitBy: 'k', options: { continueIfFieldNotFound: true } },
        1,
      ),
    ).toEqual([
      { k: '1', count_nope: 0 },
      { k: '2', count_nope: 0 },
    ]);
    expect(await summarize(values({ field: 'nope' }), 1.1)).toEqual([{ count_nope: 0 }]);
  });

  it('omits groups without a value if configured', async () => {
    const parameters = { ...values({ field: 'c' }), fieldsToSplitBy: 'v' };
    expect(await summarize(parameters)).toHaveLength(4);
    expect(await summarize({ ...parameters, options: { skipEmptySplitFields: true } })).toHaveLength(3);
  });

  it('distinguishes groups by the values that it shows', async () => {
    const rows = [{ k: 1 }, { k: '1' }, { k: null }, { k: 'null' }, { k: { a: 1 } }, { k: '{"a":1}' }];
    const groups = async (version: number, options: JsonObject = {}) =>
      outputOf('summarize', {
        version,
        items: rows,
        parameters: { ...values({ field: 'k' }), fieldsToSplitBy: 'k', options },
      });
    expect(await groups(1)).toEqual([
      { k: '1', count_k: 2 },
      { k: 'null', count_k: 1 },
      { k: '{"a":1}', count_k: 2 },
    ]);
    expect((await groups(1.1)).map((one) => isJsonObject(one) && one['k'])).toEqual([1, '1', null, 'null', '{"a":1}']);
    const skipping = { skipEmptySplitFields: true };
    expect(await groups(1, skipping)).toHaveLength(3);
    expect((await groups(1.1, skipping)).map((one) => isJsonObject(one) && one['k'])).toEqual([
      1,
      '1',
      'null',
      '{"a":1}',
    ]);
  });

  it('keeps the place of a group in the single item when all its subgroups are omitted', async () => {
    const parameters = {
      ...values({ field: 'v' }),
      fieldsToSplitBy: 'a,b',
      options: { outputFormat: 'singleItem', skipEmptySplitFields: true },
    };
    const rows = [
      { a: 'x', v: 1 },
      { a: 'y', b: 'z', v: 1 },
    ];
    expect(await outputOf('summarize', { version: 1.1, items: rows, parameters })).toEqual([
      { x: {}, y: { z: { count_v: 1 } } },
    ]);
  });

  it('requires an aggregation', async () => {
    await expect(summarize({})).rejects.toThrow('at least one aggregation');
  });

  it('does not let a group reach into JavaScript', async () => {
    const parameters = { ...values({ field: 'v' }), fieldsToSplitBy: 'c', options: { outputFormat: 'singleItem' } };
    const [json] = await outputOf('summarize', {
      version: 1.1,
      items: [
        { c: '__proto__', v: 1 },
        { c: 'constructor', v: 1 },
      ],
      parameters,
    });
    expect(Object.keys(json ?? {})).toEqual(expect.arrayContaining(['constructor']));
    expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
  });
});
