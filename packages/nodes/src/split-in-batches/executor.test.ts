import fc from 'fast-check';
import type { JsonObject } from '@weft/node-catalogue';
import { findPairedItem, RunStore } from '@weft/engine';
import {
  itemsOf,
  jsonOf,
  pass,
  runInPieces,
  runTest,
  type TestLink,
  type TestNode,
  type TestRun,
} from '@weft/engine/testing';
import { KIND_TABLE } from '../descriptors/kinds';
import { splitInBatches } from './executor';

const LOOP = 'weft-nodes-base.splitInBatches';
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const node = (name: string, typeVersion: number, parameters: JsonObject = {}): TestNode => [
  name,
  'x',
  { type: LOOP, typeVersion, parameters },
];
/** S outputs the items, L loops over them through B, E receives the finished ones. */
const loop = (
  count: number,
  typeVersion: number,
  parameters: JsonObject = {},
  links?: readonly TestLink[],
): TestRun => ({
  kinds: KIND_TABLE,
  executors: { splitInBatches, pass },
  nodes: [['S', 'pass'], node('L', typeVersion, parameters), ['B', 'pass'], ['E', 'pass']],
  input: items(count),
  links: links ?? (typeVersion < 3 ? ['S>L', 'L:0>B', 'B>L', 'L:1>E'] : ['S>L', 'L:1>B', 'B>L', 'L:0>E']),
});

describe('splitInBatches', () => {
  it('outputs batch by batch, and all returned items when it is done', async () => {
    const result = await runTest(loop(5, 3, { batchSize: 2 }));
    expect(result.order).toEqual(['S', 'L', 'B', 'L', 'B', 'L', 'B', 'L', 'E']);
    expect([0, 1, 2].map((run) => jsonOf(result, 'B', run))).toEqual([
      [{ n: 0 }, { n: 1 }],
      [{ n: 2 }, { n: 3 }],
      [{ n: 4 }],
    ]);
    expect(jsonOf(result, 'E')).toEqual(items(5));
  });

  it('neither loses nor duplicates items, whatever the batch size, even if stored in between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 10 }), async (count, batchSize) => {
        expect(jsonOf(await runTest(loop(count, 3, { batchSize })), 'E')).toEqual(items(count));
        expect(jsonOf(await runInPieces(loop(count, 3, { batchSize })), 'E')).toEqual(items(count));
      }),
      { numRuns: 25 },
    );
  });

  it('has its outputs the other way round in version 2', async () => {
    const second = await runTest(loop(3, 2, { batchSize: 2 }));
    expect([jsonOf(second, 'B', 1), jsonOf(second, 'E')]).toEqual([[{ n: 2 }], items(3)]);
  });

  it('ends its branch in version 1 without a separate run', async () => {
    const run = loop(3, 1, { batchSize: 2 }, ['S>L', 'L:0>B', 'B>L']);
    const first = await runTest(run);
    expect(first.order).toEqual(['S', 'L', 'B', 'L', 'B']);
    expect(first.outcome).toEqual({ kind: 'success', lastNode: 'B' });
    expect((await runInPieces(run)).order).toEqual(first.order);
  });

  it('outputs one empty item at the end of version 1 if it always outputs data', async () => {
    const always = { ...node('L', 1, { batchSize: 5 })[2], alwaysOutputData: true };
    const result = await runTest({
      ...loop(2, 1, {}, ['S>L', 'L:0>B', 'B>L']),
      nodes: [
        ['S', 'pass'],
        ['L', 'x', always],
        ['B', 'pass'],
      ],
      nodeRunsMax: 6,
    });
    expect(result.order).toEqual(['S', 'L', 'B', 'L', 'B', 'L']);
    expect(jsonOf(result, 'L', 1)).toEqual([{}]);
  });

  it('defaults to the batch size of its version', async () => {
    expect(jsonOf(await runTest(loop(3, 3)), 'B')).toHaveLength(1);
    expect(jsonOf(await runTest(loop(12, 2)), 'B')).toHaveLength(10);
  });

  it('stores the fields that expressions read', async () => {
    const { events } = await runTest(loop(3, 3, { batchSize: 2 }));
    const kept = events.filter((event) => event.node === 'L').map((event) => event.state().memories['L']);
    expect(kept.at(-1)).toMatchObject({ currentRunIndex: 2, maxRunIndex: 2, noItemsLeft: true, done: true });
  });

  it('stores a state of constant size, whatever the number of items', async () => {
    const sizeAt = async (count: number) =>
      JSON.stringify(
        (await runTest({ ...loop(count, 3, { batchSize: 10 }), nodeRunsMax: 10_000 })).events.at(-3)?.state(),
      ).length;
    expect((await sizeAt(1_000)) - (await sizeAt(100))).toBeLessThan(40);
  });

  it('restarts with every arrival if configured', async () => {
    const result = await runTest({ ...loop(2, 3, { batchSize: 5, options: { reset: true } }), nodeRunsMax: 12 });
    expect(result.outcome).toMatchObject({ kind: 'error' });
    expect(jsonOf(result, 'B', 3)).toEqual(items(2));
  });

  it('never outputs the finished items if the body outputs nothing', async () => {
    const none = { run: () => ({ kind: 'items' as const, outputs: [[]] }), actsOutside: false };
    const result = await runTest({
      ...loop(3, 3),
      kinds: KIND_TABLE,
      executors: { splitInBatches, pass, none },
      nodes: [['S', 'pass'], node('L', 3), ['B', 'none'], ['E', 'pass']],
    });
    expect(result.order).toEqual(['S', 'L', 'B']);
  });

  it('traces items to their origin before the loop, in the loop and after it', async () => {
    const result = await runTest(loop(5, 3, { batchSize: 2 }));
    const store = new RunStore(result.records);
    const originOf = (name: string, run: number, index: number) =>
      findPairedItem(store, [{ previousNode: name, previousNodeRun: run }], 0, index, 'S').json;
    expect([originOf('B', 1, 1), originOf('B', 2, 0)]).toEqual([{ n: 3 }, { n: 4 }]);
    expect(itemsOf(result, 'E')?.map((_, index) => originOf('E', 0, index))).toEqual(items(5));
  });

  it('rejects a batch size below 1', async () => {
    expect((await runTest(loop(1, 3, { batchSize: 0 }))).outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('at least 1') },
    });
  });
});
