import type { JsonObject } from '@weft/node-catalogue';
import type { KindRun } from '../testing/cases/run-kind';
import { runKind } from '../testing/cases/run-kind';

const a = [
  { id: 1, v: 'x' },
  { id: 2, v: 'y' },
  { id: 3, v: 'z', w: 1 },
];
const b = [
  { id: 2, v: 'y' },
  { id: 3, v: 'Z' },
  { id: 4, v: 'q' },
];
const compare = async (parameters: JsonObject = {}, over: KindRun = {}) => {
  const { outputs, error } = await runKind('compareDatasets', {
    version: 2.3,
    inputs: [a, b],
    parameters: { mergeByFields: { values: [{ field1: 'id', field2: 'id' }] }, ...parameters },
    ...over,
  });
  if (error !== undefined) throw new Error(error.message);
  return outputs;
};

describe('compareDatasets', () => {
  it('separates items in A only, the same, different, and in B only', async () => {
    const different = {
      keys: { id: 3 },
      same: { id: 3 },
      different: { v: { inputA: 'z', inputB: 'Z' }, w: { inputA: 1, inputB: null } },
    };
    expect(await compare()).toEqual([[a[0]], [a[1]], [different], [b[2]]]);
  });

  it('outputs the item of one input, or a mix, if configured', async () => {
    expect((await compare({ resolve: 'preferInput1' }))[2]).toEqual([a[2]]);
    expect((await compare({ resolve: 'preferInput2' }))[2]).toEqual([b[1]]);
    expect((await compare({ resolve: 'mix', preferWhenMix: 'input1', exceptWhenMix: 'v' }))[2]).toEqual([
      { id: 3, v: 'Z', w: 1 },
    ]);
    expect((await compare({ resolve: 'mix', preferWhenMix: 'input2', exceptWhenMix: 'w' }))[2]).toEqual([
      { id: 3, v: 'Z', w: 1 },
    ]);
  });

  it('ignores excluded fields', async () => {
    expect((await compare({ options: { skipFields: 'v, w' } }))[1]).toEqual([a[1], a[2]]);
    const [, , different] = await compare({ options: { skipFields: 'w' } });
    expect(different).toEqual([
      {
        keys: { id: 3 },
        same: { id: 3 },
        different: { v: { inputA: 'z', inputB: 'Z' } },
        skipped: { w: { inputA: 1, inputB: null } },
      },
    ]);
  });

  it('compares loosely if configured', async () => {
    const inputs = [
      [
        { id: 1, v: '[1]' },
        { id: 2, v: null },
      ],
      [
        { id: '1', v: [1] },
        { id: 2, v: 0 },
      ],
    ];
    expect((await compare({ fuzzyCompare: true }, { inputs }))[1]).toEqual(inputs[0]);
    expect((await compare({ options: { fuzzyCompare: true } }, { inputs, version: 1 }))[1]).toEqual([inputs[1]?.[0]]);
  });

  it('names the sides as version 1 did, and prefers the second input there', async () => {
    expect((await compare({ resolve: 'includeBoth' }, { version: 1 }))[2]).toEqual([
      {
        keys: { id: 3 },
        same: { id: 3 },
        different: { v: { input1: 'z', input2: 'Z' }, w: { input1: 1, input2: null } },
      },
    ]);
    expect((await compare({}, { version: 1 }))[2]).toEqual([b[1]]);
  });

  it('uses the first match, or all', async () => {
    const inputs = [
      [{ id: 1 }],
      [
        { id: 1, n: 1 },
        { id: 1, n: 2 },
      ],
    ];
    expect((await compare({}, { inputs })).map((list) => list.length)).toEqual([0, 0, 1, 1]);
    expect((await compare({ options: { multipleMatches: 'all' } }, { inputs })).map((list) => list.length)).toEqual([
      0, 0, 2, 0,
    ]);
  });

  it('runs with one input, and requires fields that exist', async () => {
    expect(await compare({}, { inputs: [a, []] })).toEqual([a, [], [], []]);
    const unknown = { mergeByFields: { values: [{ field1: 'no', field2: 'id' }] } };
    await expect(compare(unknown, { version: 2.1 })).rejects.toThrow(
      "Field 'no' is not present in any of items in 'Input A'",
    );
    expect(await compare(unknown)).toEqual([a, [], [], b]);
    await expect(compare({ mergeByFields: {} })).rejects.toThrow('at least one pair');
  });
});
