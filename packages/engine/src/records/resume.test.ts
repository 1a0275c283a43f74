import fc from 'fast-check';
import { decodeState, encodeState } from './engine-state';
import type { RunNode } from '../node/node';
import { NodeFailure } from '../node/node-failure';
import type { TestLink, TestNode, TestRun } from '../testing/run-test-workflow';
import { emit, join, jsonOf, pass, route, runInPieces, runTest } from '../testing/run-test-workflow';

const executors = { pass, emit, route, join };

const boom: RunNode = () => {
  throw new NodeFailure('broken');
};

describe('a run that continues elsewhere', () => {
  it('ends like one that was never interrupted, for any workflow', async () => {
    await fc.assert(
      fc.asyncProperty(workflows(), async (test) => {
        const whole = await runTest(test);
        const pieces = await runInPieces(test);
        expect(pieces.order).toEqual(whole.order);
        expect([...pieces.records].sort()).toEqual(JSON.parse(JSON.stringify([...whole.records].sort())));
        expect(pieces.outcome).toEqual(whole.outcome);
      }),
      { numRuns: 60 },
    );
  });

  it('preserves the memory of nodes', async () => {
    const count: RunNode = (context) => {
      const n = Number(context.memory['n'] ?? 0) + 1;
      context.memory['n'] = n;
      return { kind: 'items', outputs: [[{ json: { n } }].filter(() => n < 5)] };
    };
    const test = {
      executors: { pass, count },
      nodes: [
        ['S', 'pass'],
        ['C', 'count'],
      ] as const,
      links: ['S>C', 'C>C'],
    };
    expect((await runInPieces(test)).records.get('C')).toHaveLength(5);
  });

  it('does not hold items in its state, however many there are', async () => {
    const input = Array.from({ length: 1_000 }, (_, n) => ({ n }));
    const result = await runTest({
      executors,
      nodes: [
        ['S', 'pass'],
        ['A', 'pass'],
        ['B', 'pass'],
      ],
      links: ['S>A', 'A>B'],
      input,
      stop: (runs) => (runs === 2 ? 'drain' : undefined),
    });
    if (result.outcome.kind !== 'stopped') throw new Error('The run should have stopped.');
    expect(encodeState(result.outcome.state).length).toBeLessThan(300);
  });
});

describe('a run that failed', () => {
  it('ends like one that never failed if continued at the failed node, for any workflow and any node', async () => {
    await fc.assert(
      fc.asyncProperty(workflows(), fc.nat(), async (test, pick) => {
        const whole = await runTest(test);
        const failing = whole.order[pick % whole.order.length] ?? '';
        const nodes = test.nodes.map((node): TestNode =>
          node[0] === failing ? [failing, 'boom', node[2] ?? {}] : node,
        );
        const broken = await runTest({
          ...test,
          nodes,
          executors: { ...test.executors, boom },
        });
        if (broken.outcome.kind !== 'error' || broken.outcome.state === undefined)
          throw new Error('The run should have failed.');
        const { state } = broken.outcome;
        const records = new Map(
          [...broken.records]
            .map(
              ([node, runs]) =>
                [node, runs.filter(({ executionIndex }) => executionIndex < state.executionIndex)] as const,
            )
            .filter(([, runs]) => runs.length > 0),
        );
        const again = await runTest({ ...test, state: decodeState(encodeState(state)), records });
        expect(again.order).toEqual(whole.order);
        expect([...again.records].sort()).toEqual([...whole.records].sort());
        expect(again.outcome).toEqual(whole.outcome);
      }),
      { numRuns: 60 },
    );
  });
});

describe('a run whose runner dies after a checkpoint', () => {
  it('fails like the uninterrupted run, from every checkpoint of any workflow with a failing node', async () => {
    await fc.assert(
      fc.asyncProperty(workflows(), fc.nat(), async (test, pick) => {
        const { order } = await runTest(test);
        const failing = order[pick % order.length] ?? '';
        const nodes = test.nodes.map((node): TestNode => (node[0] === failing ? [failing, 'boom'] : node));
        const checkpoints: { readonly state: Uint8Array; readonly records: string }[] = [];
        const broken = { ...test, nodes, executors: { ...test.executors, boom } };
        const whole = await runTest({
          ...broken,
          onNodeRun: (event, records) =>
            void checkpoints.push({ state: encodeState(event.state()), records: JSON.stringify([...records]) }),
        });
        expect(whole.outcome.kind).toBe('error');
        for (const [index, { state, records }] of checkpoints.entries()) {
          const again = await runTest({ ...broken, state: decodeState(state), records: new Map(JSON.parse(records)) });
          // the failed node runs again after its own checkpoint, as any node does that ran but was not reported
          const repeated = index === checkpoints.length - 1 ? [failing] : [];
          expect(again.order).toEqual([...whole.order, ...repeated]);
          expect(again.outcome).toMatchObject({ kind: 'error', error: { message: 'broken' }, lastNode: failing });
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('stopping', () => {
  it('lets the running node finish when the runner drains', async () => {
    let draining = false;
    const slow: RunNode = async () => {
      draining = true;
      await Promise.resolve();
      return { kind: 'items', outputs: [[{ json: { done: true } }]] };
    };
    const result = await runTest({
      executors: { pass, slow },
      nodes: [
        ['S', 'slow'],
        ['E', 'pass'],
      ],
      links: ['S>E'],
      stop: () => (draining ? 'drain' : undefined),
    });
    expect(result.outcome).toMatchObject({
      kind: 'stopped',
      reason: 'drain',
      state: { ready: [{ node: 'E' }], executionIndex: 1 },
    });
    expect(jsonOf(result, 'S')).toEqual([{ done: true }]);
  });

  it('ends at once when the signal fires, even if the node ignores it, and requeues the node', async () => {
    const abort = new AbortController();
    const deaf: RunNode = () => {
      queueMicrotask(() => abort.abort());
      return new Promise(() => undefined);
    };
    const { outcome, order } = await runTest({
      executors: { deaf },
      nodes: [['S', 'deaf', { onError: 'continueRegularOutput', retryOnFail: true }]],
      links: [],
      signal: abort.signal,
    });
    expect(outcome).toMatchObject({
      kind: 'stopped',
      reason: 'cancel',
      state: { ready: [{ node: 'S', start: true }] },
    });
    expect(order).toEqual([]);
  });

  it('asks before every node run', async () => {
    const { outcome } = await runTest({
      executors,
      nodes: [
        ['S', 'pass'],
        ['A', 'pass'],
      ],
      links: ['S>A', 'A>S'],
      stop: (runs) => (runs === 3 ? 'timeout' : undefined),
    });
    expect(outcome).toMatchObject({ kind: 'stopped', reason: 'timeout' });
  });
});

describe('waiting', () => {
  const wait: RunNode = (context) => {
    if (context.resume === undefined) return { kind: 'wait', wait: { kind: 'timer', at: 5 } };
    return { kind: 'items', outputs: [context.resume.kind === 'webhook' ? [context.resume.item] : context.items] };
  };
  const test = {
    executors: { pass, wait },
    nodes: [
      ['S', 'pass'],
      ['W', 'wait'],
      ['E', 'pass'],
    ] as const,
    links: ['S>W', 'W>E'],
    input: [{ a: 1 }],
  };

  it('pauses the run at the node, and runs it again when the wait is over', async () => {
    const paused = await runTest(test);
    if (paused.outcome.kind !== 'waiting') throw new Error('The run should wait.');
    expect(paused.outcome).toMatchObject({ wait: { kind: 'timer', at: 5 }, node: 'W', run: 0 });
    expect(paused.order).toEqual(['S']);
    const state = decodeState(encodeState(paused.outcome.state));
    const resumed = await runTest({ ...test, state, records: paused.records, resume: { kind: 'timer' } });
    expect(resumed.order).toEqual(['S', 'W', 'E']);
    expect(jsonOf(resumed, 'E')).toEqual([{ a: 1 }]);
  });

  it('passes the event that woke it only to the node that waited', async () => {
    const paused = await runTest(test);
    if (paused.outcome.kind !== 'waiting') throw new Error('The run should wait.');
    const again = {
      ...test,
      nodes: [
        ['S', 'pass'],
        ['W', 'wait'],
        ['E', 'wait'],
      ] as const,
    };
    const resumed = await runTest({
      ...again,
      state: paused.outcome.state,
      records: paused.records,
      resume: { kind: 'webhook', item: { json: { b: 2 } } },
    });
    expect(jsonOf(resumed, 'W')).toEqual([{ b: 2 }]);
    expect(resumed.outcome).toMatchObject({ kind: 'waiting', node: 'E' });
  });
});

/** Any workflow of up to eight nodes, loops and joins included, over items that are sent different ways. */
/** Joins, but never into more items than a loop of joins can go round with. */
const joinSome: RunNode = async (context) => {
  const joined = await join(context);
  return joined.kind === 'items'
    ? { kind: 'items', outputs: joined.outputs.map((items) => items.slice(0, 12)) }
    : joined;
};

function workflows(): fc.Arbitrary<TestRun> {
  const kinds = fc.array(fc.constantFrom('pass', 'route', 'join', 'emit'), { minLength: 1, maxLength: 7 });
  const link = fc.tuple(fc.nat(7), fc.nat(1), fc.nat(7), fc.nat(1));
  return fc
    .tuple(kinds, fc.array(link, { maxLength: 14 }), fc.array(fc.nat(1), { minLength: 1, maxLength: 3 }))
    .map(([chosen, links, outs]) => {
      const nodes = ['route', ...chosen].map((kind, index): TestNode => [
        `N${index}`,
        kind,
        { parameters: { items: [index] } },
      ]);
      const name = (index: number): string => `N${index % nodes.length}`;
      return {
        executors: { ...executors, join: joinSome },
        nodes,
        input: outs.map((out, n) => ({ out, n })),
        nodeRunsMax: 40,
        links: links.map(([from, output, to, input]): TestLink => `${name(from)}:${output}>${name(to)}:${input}`),
      };
    });
}
