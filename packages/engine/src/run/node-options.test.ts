import { readDefinition } from '@weft/node-catalogue';
import type { JsonObject } from '@weft/node-catalogue';
import type { RunNode } from '../node/node';
import { NodeFailure } from '../node/node-failure';
import { nodeOptionsOf } from './node-options';
import { emit, itemsOf, jsonOf, pass, runTest } from '../testing/run-test-workflow';

const boom: RunNode = () => {
  throw new NodeFailure('broken', { description: 'Mend it.', itemIndex: 0 });
};
const failOdd: RunNode = (context) => ({
  kind: 'items',
  outputs: [
    context.items.map(({ json }, item) =>
      Number(json['n']) % 2 === 1
        ? { json: { error: `bad ${json['n']}` }, pairedItem: { item } }
        : { json, pairedItem: { item } },
    ),
  ],
});
const executors = { pass, emit, boom, failOdd };
const three = [
  { n: 1, a: 'x' },
  { n: 2, a: 'y' },
  { n: 3, a: 'z' },
];
const chain = (kind: string, over: JsonObject) =>
  runTest({
    executors,
    nodes: [
      ['S', 'pass'],
      ['N', kind, over],
      ['ok', 'pass'],
      ['err', 'pass'],
    ],
    links: ['S>N', 'N:0>ok', 'N:1>err'],
    input: three,
  });

describe('a node that fails', () => {
  it('ends the run, with the records so far and the state in which the node would run again', async () => {
    const { outcome, records, order } = await chain('boom', {});
    expect(order).toEqual(['S', 'N']);
    expect(outcome).toEqual({
      kind: 'error',
      lastNode: 'N',
      error: {
        name: 'NodeOperationError',
        message: 'broken',
        description: 'Mend it.',
        context: { itemIndex: 0 },
        node: { name: 'N', type: 'test-nodes-base.boom' },
      },
      state: {
        version: 1,
        executionIndex: 1,
        ready: [{ node: 'N', sources: [{ previousNode: 'S' }] }],
        waiting: [],
        memories: {},
        lastNode: 'S',
      },
    });
    expect(records.get('N')?.[0]).toMatchObject({
      executionStatus: 'error',
      error: { message: 'broken' },
      source: [{ previousNode: 'S' }],
    });
    expect(records.get('N')?.[0]).not.toHaveProperty('data');
  });

  it.each([{ onError: 'continueRegularOutput' }, { continueOnFail: true }, { onError: 'continueErrorOutput' }])(
    'passes its input on with %j',
    async (over) => {
      const result = await chain('boom', over);
      expect(result.outcome.kind).toBe('success');
      expect(result.order).toEqual(['S', 'N', 'ok']);
      expect(jsonOf(result, 'N')).toEqual(three);
      expect(result.records.get('N')?.[0]?.error?.message).toBe('broken');
    },
  );

  it('is reported with a plain message if anything but a NodeFailure is thrown', async () => {
    const { outcome } = await runTest({
      executors: {
        bug: () => {
          throw new TypeError('x is undefined');
        },
      },
      nodes: [['S', 'bug']],
      links: [],
    });
    expect(outcome).toMatchObject({ kind: 'error', error: { name: 'TypeError', message: 'x is undefined' } });
    expect(JSON.stringify(outcome)).not.toContain('.js');
  });

  it('is reported by name if its kind is unknown', async () => {
    const { outcome } = await runTest({ executors, nodes: [['Odd one', 'nope']], links: [] });
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('test-nodes-base.nope'), node: { name: 'Odd one' } },
    });
  });
});

describe('onError continueErrorOutput', () => {
  it('sends failed items to a separate output, with the fields of the item they come from', async () => {
    const result = await chain('failOdd', { onError: 'continueErrorOutput' });
    expect(jsonOf(result, 'N', 0, 0)).toEqual([{ n: 2, a: 'y' }]);
    expect(jsonOf(result, 'N', 0, 1)).toEqual([
      { n: 1, a: 'x', error: 'bad 1' },
      { n: 3, a: 'z', error: 'bad 3' },
    ]);
    expect(jsonOf(result, 'err')).toEqual([
      { n: 1, a: 'x', error: 'bad 1' },
      { n: 3, a: 'z', error: 'bad 3' },
    ]);
  });

  it('leaves open where an item made of several comes from, as with any two outputs', async () => {
    const sum: RunNode = ({ items }) => ({ kind: 'items', outputs: [[{ json: { sum: items.length } }]] });
    const pairOf = async (over: JsonObject): Promise<unknown> => {
      const { records } = await runTest({
        executors: { pass, sum },
        nodes: [
          ['S', 'pass'],
          ['N', 'sum', over],
        ],
        links: ['S>N'],
        input: three,
      });
      return records.get('N')?.[0]?.data?.main?.[0]?.[0]?.pairedItem;
    };
    expect(await pairOf({})).toEqual({ item: 0 });
    expect(await pairOf({ onError: 'continueErrorOutput' })).toBeUndefined();
  });

  it('leaves failed items in place with continueRegularOutput', async () => {
    expect(jsonOf(await chain('failOdd', { onError: 'continueRegularOutput' }), 'N')).toEqual([
      { error: 'bad 1' },
      { n: 2, a: 'y' },
      { error: 'bad 3' },
    ]);
  });

  it('puts the error output after all ordinary ones', async () => {
    const two = { run: failOdd, actsOutside: false, outputCount: () => 2 };
    const result = await runTest({
      executors: { pass, two },
      nodes: [
        ['S', 'pass'],
        ['N', 'two', { onError: 'continueErrorOutput' }],
      ],
      links: ['S>N'],
      input: three,
    });
    expect([0, 1, 2].map((output) => jsonOf(result, 'N', 0, output)?.length)).toEqual([1, 0, 2]);
  });
});

describe('retryOnFail', () => {
  const flaky = (failures: number): { run: RunNode; calls: () => number } => {
    let calls = 0;
    return {
      calls: () => calls,
      run: () => {
        calls += 1;
        if (calls <= failures) throw new NodeFailure(`try ${calls}`);
        return { kind: 'items', outputs: [[{ json: { calls } }]] };
      },
    };
  };
  const tryIt = async (failures: number, over: JsonObject) => {
    const { run, calls } = flaky(failures);
    const result = await runTest({ executors: { flaky: run }, nodes: [['N', 'flaky', over]], links: [] });
    return { ...result, calls: calls() };
  };

  it('tries again after a pause until it succeeds', async () => {
    const result = await tryIt(2, { retryOnFail: true, waitBetweenTries: 20 });
    expect(jsonOf(result, 'N')).toEqual([{ calls: 3 }]);
    expect(result.slept).toEqual([20, 20]);
    expect(result.records.get('N')).toHaveLength(1);
  });

  it.each([
    [1, 2],
    [2, 2],
    [4, 4],
    [9, 5],
    [undefined, 3],
  ])('with maxTries %s makes %s tries in all', async (maxTries, calls) => {
    const result = await tryIt(100, { retryOnFail: true, ...(maxTries === undefined ? {} : { maxTries }) });
    expect(result.calls).toBe(calls);
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message: `try ${calls}` } });
  });

  it.each([
    [undefined, 1_000],
    [-5, 0],
    [60_000, 5_000],
  ])('with waitBetweenTries %s waits %s ms', async (waitBetweenTries, ms) => {
    const { slept } = await tryIt(1, {
      retryOnFail: true,
      ...(waitBetweenTries === undefined ? {} : { waitBetweenTries }),
    });
    expect(slept).toEqual([ms]);
  });

  it('does not try again by default', async () => {
    expect((await tryIt(1, { maxTries: 5 })).calls).toBe(1);
  });

  it('also retries a node that continues after failures, if its first item is a failure', async () => {
    let calls = 0;
    const soft: RunNode = () => {
      calls += 1;
      return { kind: 'items', outputs: [[{ json: calls < 3 ? { error: 'not yet' } : { error: null, ok: true } }]] };
    };
    const result = await runTest({
      executors: { soft },
      nodes: [['N', 'soft', { retryOnFail: true, onError: 'continueRegularOutput' }]],
      links: [],
    });
    expect(jsonOf(result, 'N')).toEqual([{ error: null, ok: true }]);
  });

  it('drops what a failed try stored in its memory', async () => {
    let calls = 0;
    const remember: RunNode = (context) => {
      calls += 1;
      context.memory['count'] = Number(context.memory['count'] ?? 0) + 1;
      if (calls === 1) throw new NodeFailure('first');
      return { kind: 'items', outputs: [[{ json: { count: context.memory['count'] } }]] };
    };
    const result = await runTest({
      executors: { remember },
      nodes: [['N', 'remember', { retryOnFail: true }]],
      links: [],
    });
    expect(jsonOf(result, 'N')).toEqual([{ count: 1 }]);
  });
});

describe('other options', () => {
  it('alwaysOutputData puts one empty item, paired with all input, on an empty first output', async () => {
    const none: RunNode = () => ({ kind: 'items', outputs: [[], [{ json: { other: 1 } }]] });
    const result = await runTest({
      executors: { pass, none },
      nodes: [
        ['S', 'pass'],
        ['N', 'none', { alwaysOutputData: true }],
        ['E', 'pass'],
      ],
      links: ['S>N', 'N>E'],
      input: [{}, {}],
    });
    expect(itemsOf(result, 'N')).toEqual([
      {
        json: {},
        pairedItem: [
          { item: 0, input: 0 },
          { item: 1, input: 0 },
        ],
      },
    ]);
    expect(jsonOf(result, 'N', 0, 1)).toEqual([{ other: 1 }]);
    expect(result.order).toEqual(['S', 'N', 'E']);
  });

  it.each<[string, JsonObject]>([
    ['a disabled node', { disabled: true }],
    ['a pinned node', {}],
    ['a node that returns nothing', {}],
  ])('alwaysOutputData counts for %s', async (what, over) => {
    const nothing: RunNode = () => ({ kind: 'nothing' });
    const result = await runTest({
      executors: { pass, nothing },
      nodes: [
        ['N', 'nothing', { alwaysOutputData: true, ...over }],
        ['E', 'pass'],
      ],
      links: ['N>E'],
      input: [],
      ...(what === 'a pinned node' ? { definition: { pinData: { N: [] } } } : {}),
    });
    expect(jsonOf(result, 'E')).toEqual([{}]);
  });

  it('alwaysOutputData leaves an empty input that a failed node passes on empty', async () => {
    const result = await runTest({
      executors: { pass, boom },
      nodes: [
        ['N', 'boom', { alwaysOutputData: true, onError: 'continueRegularOutput' }],
        ['E', 'pass'],
      ],
      links: ['N>E'],
      input: [],
    });
    expect(result.order).toEqual(['N']);
    expect(jsonOf(result, 'N')).toEqual([]);
  });

  it('executeOnce cuts the input to its first item, but not what user code sees', async () => {
    const look: RunNode = (context) => ({
      kind: 'items',
      outputs: [
        [{ json: { items: context.items.length, input: context.input(0).length, full: context.fullInput(0).length } }],
      ],
    });
    const result = await runTest({
      executors: { pass, look },
      nodes: [
        ['S', 'pass'],
        ['N', 'look', { executeOnce: true }],
      ],
      links: ['S>N'],
      input: three,
    });
    expect(jsonOf(result, 'N')).toEqual([{ items: 1, input: 1, full: 3 }]);
  });

  it('a disabled node passes its first input on and does not run', async () => {
    const result = await chain('boom', { disabled: true });
    expect(jsonOf(result, 'N')).toEqual(three);
    expect(result.order).toEqual(['S', 'N', 'ok']);
  });

  it('reads the older and the newer option to continue after failures', () => {
    const options = (over: JsonObject) =>
      readDefinition({ name: 'x', nodes: [{ name: 'A', type: 't', ...over }], connections: {} }).nodes.map(
        nodeOptionsOf,
      )[0];
    expect(options({ continueOnFail: true })?.onError).toBe('continueRegularOutput');
    expect(options({ continueOnFail: true, onError: 'stopWorkflow' })?.onError).toBe('stopWorkflow');
    expect(options({})).toEqual({
      disabled: false,
      onError: 'stopWorkflow',
      tries: 1,
      waitBetweenTriesMs: 1_000,
      alwaysOutputData: false,
      executeOnce: false,
      approval: false,
    });
  });
});

describe('pins', () => {
  const pinned = { definition: { pinData: { N: [{ json: { pin: 1 } }, { pin: 2 }] } } };
  const test = {
    executors,
    nodes: [
      ['S', 'pass'],
      ['N', 'boom'],
      ['E', 'pass'],
    ] as const,
    links: ['S>N', 'N>E'],
    ...pinned,
  };

  it('stand for the output of their node in manual runs, and the record says so', async () => {
    const result = await runTest(test);
    expect(jsonOf(result, 'E')).toEqual([{ pin: 1 }, { pin: 2 }]);
    expect(result.records.get('N')?.[0]?.pinned).toBe(true);
    expect(result.records.get('S')?.[0]).not.toHaveProperty('pinned');
  });

  it('do not count in other modes, nor where the caller does not want them', async () => {
    expect((await runTest({ ...test, mode: 'webhook' })).outcome.kind).toBe('error');
    expect((await runTest({ ...test, usePinData: false })).outcome.kind).toBe('error');
  });
});
