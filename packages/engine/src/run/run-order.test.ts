import type { TestRun } from '../testing/run-test-workflow';
import { emit, join, jsonOf, pass, route, runTest } from '../testing/run-test-workflow';

const executors = { pass, emit, route, join };
const run = (test: Omit<TestRun, 'executors'>) => runTest({ executors, ...test });
const at = (x: number, y: number) => ({ position: [x, y] });

describe('the order of a run', () => {
  it('runs the branch higher on the canvas to its end before the next, then the one further left', async () => {
    const { order } = await run({
      nodes: [
        ['S', 'pass'],
        ['low', 'pass', at(0, 300)],
        ['low2', 'pass', at(50, 0)],
        ['right', 'pass', at(90, 100)],
        ['left', 'pass', at(10, 100)],
      ],
      links: ['S>low', 'low>low2', 'S>right', 'S>left'],
    });
    expect(order).toEqual(['S', 'left', 'right', 'low', 'low2']);
  });

  it('follows the canvas, not the number of the output', async () => {
    const { order } = await run({
      nodes: [
        ['S', 'route'],
        ['zero', 'pass', at(0, 200)],
        ['one', 'pass', at(0, 100)],
      ],
      links: ['S:0>zero', 'S:1>one'],
      input: [{ out: 0 }, { out: 1 }],
    });
    expect(order).toEqual(['S', 'one', 'zero']);
  });

  it('runs the items of the last output first where several lead to the same node', async () => {
    const result = await run({
      nodes: [
        ['S', 'route'],
        ['J', 'pass'],
      ],
      links: ['S:0>J', 'S:1>J'],
      input: [{ out: 0 }, { out: 1 }],
    });
    expect([jsonOf(result, 'J', 0), jsonOf(result, 'J', 1)]).toEqual([[{ out: 1 }], [{ out: 0 }]]);
  });

  it('runs the items of the error output first where the other output leads to the same node', async () => {
    const fallible = {
      actsOutside: false,
      run: (context: Parameters<typeof pass>[0]) => ({
        kind: 'items' as const,
        outputs: [
          context.items.map(({ json }, item) => ({ json, ...(item === 0 ? { error: { message: 'no' } } : {}) })),
        ],
      }),
    };
    const result = await runTest({
      executors: { pass, fallible },
      nodes: [
        ['S', 'fallible', { onError: 'continueErrorOutput' }],
        ['J', 'pass'],
      ],
      links: ['S:0>J', 'S:1>J'],
      input: [{ n: 0 }, { n: 1 }],
    });
    expect([jsonOf(result, 'J', 0), jsonOf(result, 'J', 1)]).toEqual([[{ error: 'no' }], [{ n: 1 }]]);
  });

  it('ends a branch at an empty output', async () => {
    const { order, outcome } = await run({
      nodes: [
        ['S', 'route'],
        ['A', 'pass'],
        ['B', 'pass'],
      ],
      links: ['S:0>A', 'S:1>B'],
      input: [{ out: 1 }],
    });
    expect(order).toEqual(['S', 'B']);
    expect(outcome).toEqual({ kind: 'success', lastNode: 'B' });
  });

  it('runs a node once for each arrival on its only input', async () => {
    const result = await run({
      nodes: [
        ['S', 'pass'],
        ['A', 'pass'],
        ['B', 'pass'],
        ['J', 'pass'],
      ],
      links: ['S>A', 'S>B', 'A>J', 'B>J'],
    });
    expect(result.order).toEqual(['S', 'A', 'J', 'B', 'J']);
    expect(result.records.get('J')?.map((record) => record.source)).toEqual([
      [{ previousNode: 'A' }],
      [{ previousNode: 'B' }],
    ]);
  });

  it('goes round a loop until an output stays empty', async () => {
    const count = {
      run: (context: Parameters<typeof pass>[0]) => {
        const n = Number(context.items[0]?.json['n'] ?? 0) + 1;
        return { kind: 'items' as const, outputs: [n < 4 ? [{ json: { n } }] : [], n < 4 ? [] : [{ json: { n } }]] };
      },
      actsOutside: false,
    };
    const result = await runTest({
      executors: { pass, count },
      nodes: [
        ['S', 'pass'],
        ['C', 'count'],
        ['E', 'pass'],
      ],
      links: ['S>C', 'C:0>C', 'C:1>E'],
    });
    expect(result.order).toEqual(['S', 'C', 'C', 'C', 'C', 'E']);
    expect(result.records.get('E')?.[0]?.source).toEqual([
      { previousNode: 'C', previousNodeOutput: 1, previousNodeRun: 3 },
    ]);
    expect(jsonOf(result, 'E')).toEqual([{ n: 4 }]);
  });

  it('ends a run that would never end', async () => {
    const { outcome, order } = await run({ nodes: [['S', 'pass']], links: ['S>S'], nodeRunsMax: 20 });
    expect(order).toHaveLength(20);
    expect(outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('20 node runs') } });
  });

  it('begins at any node', async () => {
    const { order } = await run({
      nodes: [
        ['S', 'pass'],
        ['A', 'pass'],
        ['B', 'pass'],
      ],
      links: ['S>A', 'A>B'],
      start: 'A',
    });
    expect(order).toEqual(['A', 'B']);
  });
});

describe('nodes with several inputs', () => {
  it('wait until each input has items, then run once with all', async () => {
    const result = await run({
      nodes: [
        ['S', 'pass'],
        ['A', 'emit', { parameters: { items: [1] } }],
        ['B', 'emit', { parameters: { items: [2] } }],
        ['J', 'join', at(0, -100)],
      ],
      links: ['S>A', 'S>B', 'A>J:0', 'B>J:1'],
    });
    expect(result.order).toEqual(['S', 'A', 'B', 'J']);
    expect(jsonOf(result, 'J')).toEqual([{ value: 1 }, { value: 2 }]);
  });

  it('queue a second arrival on a filled input for the next run', async () => {
    const result = await run({
      nodes: [
        ['S', 'pass'],
        ['A', 'emit', { parameters: { items: [1] } }],
        ['B', 'emit', { parameters: { items: [2] } }],
        ['C', 'emit', { parameters: { items: [3] } }],
        ['J', 'join'],
      ],
      links: ['S>A', 'S>B', 'S>C', 'A>J:0', 'B>J:0', 'C>J:1'],
    });
    expect(result.order).toEqual(['S', 'A', 'B', 'C', 'J', 'J']);
    expect([jsonOf(result, 'J', 0), jsonOf(result, 'J', 1)]).toEqual([[{ value: 1 }, { value: 3 }], [{ value: 2 }]]);
    expect(result.records.get('J')?.[1]?.source).toEqual([{ previousNode: 'B' }, null]);
  });

  it('run with what they have once nothing else can run', async () => {
    const result = await run({
      nodes: [
        ['S', 'route'],
        ['A', 'pass'],
        ['B', 'pass'],
        ['J', 'join'],
        ['E', 'pass'],
      ],
      links: ['S:0>A', 'S:1>B', 'A>J:0', 'B>J:1', 'J>E'],
      input: [{ out: 0 }],
    });
    expect(result.order).toEqual(['S', 'A', 'J', 'E']);
    expect(result.records.get('J')?.[0]?.source).toEqual([{ previousNode: 'A' }, null]);
  });

  it('do not run with what they have if the last node returned nothing', async () => {
    const result = await runTest({
      executors: { ...executors, nothing: () => ({ kind: 'nothing' }) },
      nodes: [
        ['S', 'pass'],
        ['A', 'pass', at(0, 0)],
        ['J', 'join', at(0, 100)],
        ['N', 'nothing', at(0, 200)],
        ['never', 'pass'],
      ],
      links: ['S>A', 'A>J:0', 'S>N', 'N>J:1', 'N>never'],
    });
    expect(result.order).toEqual(['S', 'A']);
    expect(result.outcome).toEqual({ kind: 'success', lastNode: 'A' });
  });

  it('never run if their kind needs an input that stayed empty', async () => {
    const needy = { run: join, actsOutside: false, requiredInputs: () => [0, 1] };
    const { order, outcome } = await runTest({
      executors: { ...executors, needy },
      nodes: [
        ['S', 'route'],
        ['A', 'pass'],
        ['B', 'pass'],
        ['J', 'needy'],
      ],
      links: ['S:0>A', 'S:1>B', 'A>J:0', 'B>J:1'],
      input: [{ out: 0 }],
    });
    expect(order).toEqual(['S', 'A']);
    expect(outcome.kind).toBe('success');
  });

  it('are put off while a node waits that may still lead to them', async () => {
    const { order } = await run({
      // Branches are walked from the bottom of the canvas, so the later join is the first that waits.
      nodes: [
        ['S', 'route'],
        ['late', 'join', at(0, 30)],
        ['early', 'join', at(0, 20)],
      ],
      links: ['S:0>late:0', 'S:0>early:0', 'S:1>early:1', 'early>late:1'],
      input: [{ out: 0 }],
    });
    expect(order).toEqual(['S', 'early', 'late']);
  });

  it('count their inputs by the links, not by the kind', async () => {
    const result = await run({
      nodes: [
        ['S', 'pass'],
        ['A', 'pass'],
      ],
      links: ['S>A:1'],
    });
    expect(result.records.get('A')?.[0]?.source).toEqual([null, { previousNode: 'S' }]);
    expect(jsonOf(result, 'A')).toEqual([{}]);
  });
});
