import fc from 'fast-check';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { jsonOf, pass, runInPieces, runTest, type TestNode, type TestResult } from '@weft/engine/testing';
import { KIND_TABLE } from '../descriptors/kinds';
import { splitInBatches } from './executor';

const executors = { splitInBatches, pass };
const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
const loop = (name: string, typeVersion: number, parameters: JsonObject): TestNode => [
  name,
  'x',
  { type: 'weft-nodes-base.splitInBatches', typeVersion, parameters },
];
const runsOf = (result: TestResult, node: string): Json[][] =>
  (result.records.get(node) ?? []).map((_, run) => jsonOf(result, node, run) ?? []);
const counts = fc.integer({ min: 1, max: 12 });
const sizes = fc.integer({ min: 1, max: 14 });

describe('splitInBatches, for any numbers', () => {
  it.each([1, 2, 3])('version %s outputs every item once, in order, in batches of its size', async (version) => {
    await fc.assert(
      fc.asyncProperty(counts, sizes, async (count, batchSize) => {
        const out = version === 3 ? 1 : 0;
        const result = await runTest({
          kinds: KIND_TABLE,
          executors,
          nodes: [['S', 'pass'], loop('L', version, { batchSize }), ['B', 'pass']],
          links: ['S>L', `L:${out}>B`, 'B>L'],
          input: items(count),
        });
        const batches = runsOf(result, 'B');
        expect(batches.flat()).toEqual(items(count));
        expect(batches.map((batch) => batch.length)).toEqual(
          Array.from({ length: Math.ceil(count / batchSize) }, (_, index) =>
            Math.min(batchSize, count - index * batchSize),
          ),
        );
        expect(result.records.get('L')).toHaveLength(version === 1 ? batches.length : batches.length + 1);
      }),
      { numRuns: 30 },
    );
  });

  it.each([2, 3])('version %s outputs all returned items, in order, from nested loops', async (version) => {
    const [again, done] = version === 3 ? [1, 0] : [0, 1];
    await fc.assert(
      fc.asyncProperty(counts, sizes, sizes, async (count, outer, inner) => {
        const run = {
          kinds: KIND_TABLE,
          executors,
          input: items(count),
          nodeRunsMax: 5_000,
          nodes: [
            ['S', 'pass'],
            loop('O', version, { batchSize: outer }),
            loop('I', version, { batchSize: inner, options: { reset: '={{ $prevNode.name === "O" }}' } }),
            ['B', 'pass'],
            ['E', 'pass'],
          ] satisfies TestNode[],
          links: ['S>O', `O:${again}>I`, `I:${again}>B`, 'B>I', `I:${done}>O`, `O:${done}>E`],
        };
        for (const result of [await runTest(run), await runInPieces(run)]) {
          expect(result.outcome.kind).toBe('success');
          expect(runsOf(result, 'E')).toEqual([items(count)]);
          expect(runsOf(result, 'B').flat()).toEqual(items(count));
          expect(Math.max(...runsOf(result, 'B').map((batch) => batch.length))).toBeLessThanOrEqual(
            Math.min(outer, inner),
          );
        }
      }),
      { numRuns: 20 },
    );
  });

  it('restarts with new items if it is reset, and otherwise continues with its own', async () => {
    await fc.assert(
      fc.asyncProperty(counts, counts, sizes, async (first, second, batchSize) => {
        // Two arrivals from outside the loop: A outputs the first items, then D the second ones.
        const twice = (reset: Json) =>
          runTest({
            kinds: KIND_TABLE,
            executors: {
              ...executors,
              more: () => ({ kind: 'items', outputs: [items(second).map(({ n }) => ({ json: { n: n + 100 } }))] }),
            },
            nodes: [
              ['S', 'pass', { position: [0, 0] }],
              loop('L', 3, { batchSize, options: { reset } }),
              ['B', 'pass'],
              ['D', 'more', { position: [0, 9_000] }],
            ],
            links: ['S>L', 'L:1>B', 'B>L', 'S>D', 'D>L'],
            input: items(first),
            nodeRunsMax: 5_000,
          });
        const added = items(second).map(({ n }) => ({ n: n + 100 }));
        expect(runsOf(await twice('={{ $prevNode.name !== "B" }}'), 'B').flat()).toEqual([...items(first), ...added]);
        expect(runsOf(await twice(false), 'B').flat()).toEqual(items(first));
      }),
      { numRuns: 20 },
    );
  });
});
