import fc from 'fast-check';
import type { Json, JsonObject } from '@weft/node-catalogue';
import type { KindRun } from '../testing/cases/run-kind';
import { outputOf, runKind } from '../testing/cases/run-kind';

const one = [
  { id: 1, a: 'x' },
  { id: 2, a: 'y' },
  { id: 3, a: 'z' },
];
const two = [
  { id: 2, b: 'p' },
  { id: 3, b: 'q' },
  { id: 4, b: 'r' },
];
const merge = (parameters: JsonObject, over: KindRun = {}) =>
  outputOf('merge', { version: 3.2, inputs: [one, two], parameters, ...over });
const byId = (parameters: JsonObject, over: KindRun = {}) =>
  merge({ mode: 'combine', fieldsToMatchString: 'id', ...parameters }, over);

describe('merge append', () => {
  it('outputs the items of all inputs, one input after the other, each linked to its index', async () => {
    const { items } = await runKind('merge', {
      version: 3.2,
      inputs: [[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]],
      parameters: { numberInputs: 3 },
    });
    expect(items).toEqual([
      [
        { json: { n: 1 }, pairedItem: { item: 0 } },
        { json: { n: 2 }, pairedItem: { item: 0, input: 1 } },
        { json: { n: 3 }, pairedItem: { item: 0, input: 2 } },
      ],
    ]);
  });

  it.each([1, 2, 2.1, 3, 3.1, 3.2])('is the default of version %s', async (version) => {
    expect(await merge({}, { version })).toEqual([...one, ...two]);
  });

  it('neither loses nor duplicates items, for any input', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(9), { maxLength: 4 }), { minLength: 2, maxLength: 4 }),
        async (lists) => {
          const inputs = lists.map((list) => list.map((n) => ({ n })));
          const { items } = await runKind('merge', {
            version: 3.2,
            inputs,
            parameters: { numberInputs: lists.length },
          });
          expect((items[0] ?? []).map((item) => item.json)).toEqual(inputs.flat());
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('merge by fields', () => {
  it.each<[string, Json[]]>([
    [
      'keepMatches',
      [
        { id: 2, a: 'y', b: 'p' },
        { id: 3, a: 'z', b: 'q' },
      ],
    ],
    [
      'keepNonMatches',
      [
        { id: 1, a: 'x', _source: 'input1' },
        { id: 4, b: 'r', _source: 'input2' },
      ],
    ],
    [
      'keepEverything',
      [
        { id: 2, a: 'y', b: 'p' },
        { id: 3, a: 'z', b: 'q' },
        { id: 1, a: 'x' },
        { id: 4, b: 'r' },
      ],
    ],
    [
      'enrichInput1',
      [
        { id: 2, a: 'y', b: 'p' },
        { id: 3, a: 'z', b: 'q' },
        { id: 1, a: 'x' },
      ],
    ],
    [
      'enrichInput2',
      [
        { id: 2, a: 'y', b: 'p' },
        { id: 3, a: 'z', b: 'q' },
        { id: 4, b: 'r' },
      ],
    ],
  ])('%s gives %j', async (joinMode, expected) => {
    expect(await byId({ joinMode })).toEqual(expected);
  });

  it('outputs the fields of one input if configured', async () => {
    expect(await byId({ outputDataFrom: 'input1' })).toEqual([one[1], one[2]]);
    expect(await byId({ outputDataFrom: 'input2' })).toEqual([two[0], two[1]]);
    expect(await byId({ joinMode: 'keepNonMatches', outputDataFrom: 'input2' })).toEqual([two[2]]);
  });

  it('matches fields of different names, and nested ones', async () => {
    const inputs = [[{ user: { id: 7 } }], [{ owner: 7, ok: true }]];
    expect(
      await merge(
        { mode: 'combine', advanced: true, mergeByFields: { values: [{ field1: 'user.id', field2: 'owner' }] } },
        { inputs },
      ),
    ).toEqual([{ user: { id: 7 }, owner: 7, ok: true }]);
  });

  it('uses every match, or the first', async () => {
    const inputs = [
      [{ id: 1 }],
      [
        { id: 1, n: 1 },
        { id: 1, n: 2 },
      ],
    ];
    expect(await byId({}, { inputs })).toEqual([
      { id: 1, n: 1 },
      { id: 1, n: 2 },
    ]);
    expect(await byId({ options: { multipleMatches: 'first' } }, { inputs })).toEqual([{ id: 1, n: 1 }]);
  });

  it('compares loosely if configured', async () => {
    const inputs = [
      [{ id: 5 }, { id: null }, { id: 'TRUE' }],
      [
        { id: '5', n: 1 },
        { id: '', n: 2 },
        { id: true, n: 3 },
      ],
    ];
    expect(await byId({}, { inputs })).toEqual([]);
    expect(await byId({ options: { fuzzyCompare: true } }, { inputs })).toEqual([
      { id: '5', n: 1 },
      { id: '', n: 2 },
      { id: true, n: 3 },
    ]);
  });

  it('resolves clashes as configured', async () => {
    const inputs = [[{ id: 1, v: 'one', o: { a: 1 } }], [{ id: 1, v: '', o: { b: 2 } }]];
    const clash = (values: JsonObject) => byId({ options: { clashHandling: { values } } }, { inputs });
    expect(await clash({ resolveClash: 'preferInput1' })).toEqual([{ id: 1, v: 'one', o: { b: 2, a: 1 } }]);
    expect(await clash({ resolveClash: 'preferInput2', mergeMode: 'shallowMerge' })).toEqual([
      { id: 1, v: '', o: { b: 2 } },
    ]);
    expect(await clash({ overrideEmpty: true })).toEqual([{ id: 1, v: 'one', o: { a: 1, b: 2 } }]);
    expect(await clash({ resolveClash: 'addSuffix' })).toEqual([
      { id_1: 1, v_1: 'one', o_1: { a: 1 }, id_2: 1, v_2: '', o_2: { b: 2 } },
    ]);
  });

  it('prefers the enriched input by default', async () => {
    const inputs = [[{ id: 1, v: 'one' }], [{ id: 1, v: 'two' }]];
    expect(await byId({ joinMode: 'enrichInput2' }, { inputs })).toEqual([{ id: 1, v: 'one' }]);
    expect(await byId({ joinMode: 'enrichInput1' }, { inputs })).toEqual([{ id: 1, v: 'two' }]);
  });

  it('requires at least one pair of fields', async () => {
    await expect(merge({ mode: 'combine' })).rejects.toThrow('at least one pair of fields');
  });

  it('rejects fields that no item has, before 2.1', async () => {
    const parameters = { mode: 'combine', mergeByFields: { values: [{ field1: 'nope', field2: 'id' }] } };
    await expect(merge(parameters, { version: 2 })).rejects.toThrow(
      "Field 'nope' is not present in any of items in 'Input 1'",
    );
    expect(await merge(parameters, { version: 2.1 })).toEqual([]);
  });

  it('separates matching items from the others in both inputs, for any input', async () => {
    const ids = fc.array(fc.nat(4), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(ids, ids, async (first, second) => {
        const inputs = [first.map((id) => ({ id, from: 1 })), second.map((id) => ({ id, from: 2 }))];
        const pairs = first.flatMap((id) => second.filter((other) => other === id));
        const lonely = [...first.filter((id) => !second.includes(id)), ...second.filter((id) => !first.includes(id))];
        const idsOf = (items: readonly Json[]) =>
          items.map((item) => (typeof item === 'object' && item !== null && !Array.isArray(item) ? item['id'] : null));
        expect(idsOf(await byId({}, { inputs }))).toEqual(pairs);
        expect(idsOf(await byId({ joinMode: 'keepNonMatches' }, { inputs }))).toEqual(lonely);
        expect(await byId({ joinMode: 'keepEverything' }, { inputs })).toHaveLength(pairs.length + lonely.length);
      }),
      { numRuns: 40 },
    );
  });

  it('has a cost proportional to the number of items', async () => {
    const inputs = [0, 1].map((from) => Array.from({ length: 5_000 }, (_, id) => ({ id, from })));
    expect(await byId({}, { inputs })).toHaveLength(5_000);
  });
});

describe('merge by position', () => {
  const inputs = [[{ a: 1 }, { a: 2 }], [{ b: 1 }]];
  const byPosition = (parameters: JsonObject = {}, over: KindRun = {}) =>
    merge({ mode: 'combine', combineBy: 'combineByPosition', ...parameters }, { inputs, ...over });

  it('stops at the end of the shortest input, or includes unpaired items', async () => {
    expect(await byPosition()).toEqual([{ a: 1, b: 1 }]);
    expect(await byPosition({ options: { includeUnpaired: true } })).toEqual([{ a: 1, b: 1 }, { a: 2 }]);
  });

  it('accepts more than two inputs, of which the last or the preferred wins', async () => {
    const three = { inputs: [[{ v: 1 }], [{ v: 2 }], [{ v: 3 }]] };
    expect(await byPosition({ numberInputs: 3 }, three)).toEqual([{ v: 3 }]);
    expect(
      await byPosition(
        { numberInputs: 3, options: { clashHandling: { values: { resolveClash: 'preferInput1' } } } },
        three,
      ),
    ).toEqual([{ v: 1 }]);
    expect(
      await byPosition(
        { numberInputs: 3, options: { clashHandling: { values: { resolveClash: 'addSuffix' } } } },
        three,
      ),
    ).toEqual([{ v_1: 1, v_2: 2, v_3: 3, v: 3 }]);
  });

  it('links an item to every item it is made from', async () => {
    const { items } = await runKind('merge', {
      version: 3.2,
      inputs,
      parameters: { mode: 'combine', combineBy: 'combineByPosition' },
    });
    expect(items[0]?.[0]?.pairedItem).toEqual([{ item: 0 }, { item: 0, input: 1 }]);
  });
});

describe('merge all with all', () => {
  it('outputs every combination', async () => {
    const inputs = [
      [{ a: 1 }, { a: 2 }],
      [{ b: 1 }, { b: 2 }],
    ];
    const all = [
      { a: 1, b: 1 },
      { a: 1, b: 2 },
      { a: 2, b: 1 },
      { a: 2, b: 2 },
    ];
    expect(await merge({ mode: 'combine', combineBy: 'combineAll' }, { inputs })).toEqual(all);
    expect(await merge({ mode: 'combine', combinationMode: 'multiplex' }, { version: 2.1, inputs })).toEqual(all);
  });

  it('rejects too many combinations', async () => {
    const many = Array.from({ length: 1_001 }, () => ({}));
    await expect(merge({ mode: 'combine', combineBy: 'combineAll' }, { inputs: [many, many] })).rejects.toThrow(
      'more than 1000000 items',
    );
  });
});

describe('merge choose branch', () => {
  it.each<[number, JsonObject, Json[]]>([
    [3.2, {}, one],
    [3.2, { useDataOfInput: 2 }, two],
    [3.2, { output: 'empty' }, [{}]],
    [2.1, {}, one],
    [2.1, { output: 'input2' }, two],
  ])('version %s with %j outputs that branch', async (version, parameters, expected) => {
    expect(await merge({ mode: 'chooseBranch', ...parameters }, { version })).toEqual(expected);
  });

  it('does not run unless both inputs have arrived', async () => {
    expect(
      (await runKind('merge', { version: 3.2, inputs: [one, []], parameters: { mode: 'chooseBranch' } })).record,
    ).toBeUndefined();
    expect((await runKind('merge', { version: 3.2, inputs: [one, []] })).outputs).toEqual([one]);
  });

  it('reports an input that does not exist', async () => {
    await expect(merge({ mode: 'chooseBranch', useDataOfInput: 5 })).rejects.toThrow('Input 5 does not exist');
  });
});

describe('merge of version 1', () => {
  const first = (parameters: JsonObject, inputs: KindRun['inputs'] = [one, two]) =>
    merge(parameters, { version: 1, ...(inputs === undefined ? {} : { inputs }) });
  const byKey = { propertyName1: 'id', propertyName2: 'id' };

  it.each<[JsonObject, Json[]]>([
    [{ mode: 'passThrough' }, one],
    [{ mode: 'passThrough', output: 'input2' }, two],
    [{ mode: 'wait' }, [{}]],
    [{ mode: 'keepKeyMatches', ...byKey }, [one[1] ?? null, one[2] ?? null]],
    [{ mode: 'removeKeyMatches', ...byKey }, [one[0] ?? null]],
    [
      { mode: 'mergeByKey', ...byKey },
      [
        { id: 1, a: 'x' },
        { id: 2, a: 'y', b: 'p' },
        { id: 3, a: 'z', b: 'q' },
      ],
    ],
  ])('with %j gives %j', async (parameters, expected) => {
    expect(await first(parameters)).toEqual(expected);
  });

  it('overwrites by key always, only empty fields, or only missing fields', async () => {
    const inputs = [[{ id: 1, v: '', w: 1 }], [{ id: 1, v: 'new', w: 2, x: 3 }]];
    const withMode = (overwrite: string) => first({ mode: 'mergeByKey', ...byKey, overwrite }, inputs);
    expect(await withMode('always')).toEqual([{ id: 1, v: 'new', w: 2, x: 3 }]);
    expect(await withMode('blank')).toEqual([{ id: 1, v: 'new', w: 1, x: 3 }]);
    expect(await withMode('undefined')).toEqual([{ id: 1, v: '', w: 1, x: 3 }]);
  });

  it.each([
    ['inner', 1],
    ['left', 2],
    ['outer', 2],
  ])('joins by position: %s gives %s items', async (join, count) => {
    expect(await first({ mode: 'mergeByIndex', join }, [[{ a: 1 }, { a: 2 }], [{ b: 1 }]])).toHaveLength(count);
  });
});
