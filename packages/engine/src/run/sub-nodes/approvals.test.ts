import type { Resume, RunNode } from '../../node/node';
import { decodeState, encodeState } from '../../records/engine-state';
import { jsonOf, runTest, type TestResult, type TestRun } from '../../testing/run-test-workflow';

/** Calls the tools `Pay`, `Look` and `Pay` once, and then gives what each returned. */
const root: RunNode = ({ continuation }) =>
  continuation === undefined
    ? {
        kind: 'request',
        calls: ['Pay', 'Look', 'Pay'].map((node, at) => ({
          id: `c${at}`,
          node,
          tool: node,
          input: { at },
          itemIndex: 0,
        })),
        state: {},
      }
    : {
        kind: 'items',
        outputs: [[{ json: { seen: continuation.outcomes.map(({ error, node }) => error?.message ?? node) } }]],
      };

const made: string[] = [];
const tool: RunNode = ({ node, items: [item] }) => {
  made.push(`${node.name} ${String(item?.json['at'])}`);
  return { kind: 'items', outputs: [[{ json: {} }]] };
};

const test = (approval: unknown = 'required', over: Partial<TestRun> = {}): TestRun => ({
  nodes: [
    ['A', 'root'],
    ['Pay', 'tool', JSON.parse(JSON.stringify({ approval }))],
    ['Look', 'tool'],
  ],
  links: ['Pay>A@ai_tool', 'Look>A@ai_tool'],
  executors: { root, tool },
  now: 1_000,
  ...over,
});

const after = async (before: TestResult, resume: Resume): Promise<TestResult> => {
  if (before.outcome.kind !== 'waiting') throw new Error('It does not wait.');
  const state = decodeState(encodeState(before.outcome.state));
  return runTest({ ...test(), state, records: before.records, resume });
};
const decision = (choice: 'approve' | 'reject', message?: string): Resume => ({
  kind: 'approval',
  approval: { decision: choice, decidedBy: 'u1', ...(message === undefined ? {} : { message }) },
});

describe('a tool whose calls need approval', () => {
  beforeEach(() => void (made.length = 0));

  it('waits before each call, after the calls of other tools', async () => {
    const first = await runTest(test());
    expect(first.outcome).toMatchObject({
      kind: 'waiting',
      node: 'Pay',
      wait: { kind: 'approval', node: 'Pay', tool: 'Pay', input: { at: 0 }, at: 1_000 + 7 * 86_400_000 },
    });
    expect(made).toEqual(['Look 1']);
    const second = await after(first, decision('approve'));
    expect(second.outcome).toMatchObject({ kind: 'waiting', wait: { input: { at: 2 } } });
    expect(made).toEqual(['Look 1', 'Pay 0']);
    const third = await after(second, decision('approve', 'fine'));
    expect(jsonOf(third, 'A')).toEqual([{ seen: ['Pay', 'Look', 'Pay'] }]);
    expect(made).toEqual(['Look 1', 'Pay 0', 'Pay 2']);
    expect(third.records.get('Pay')?.map(({ metadata }) => metadata)).toEqual([
      { approval: { decision: 'approve', decidedBy: 'u1' } },
      { approval: { decision: 'approve', decidedBy: 'u1', message: 'fine' } },
    ]);
  });

  it('does not make a call that is rejected or not decided, and tells the root', async () => {
    const rejected = await after(await runTest(test()), decision('reject', 'too much'));
    const expired = await after(rejected, { kind: 'timer' });
    expect(made).toEqual(['Look 1']);
    expect(jsonOf(expired, 'A')).toEqual([
      {
        seen: [
          'The call was rejected by a person: too much',
          'Look',
          'The call was not made: it was not approved within 7 days',
        ],
      },
    ]);
    expect(expired.records.get('Pay')?.map(({ metadata, executionStatus }) => [executionStatus, metadata])).toEqual([
      ['error', { approval: { decision: 'reject', decidedBy: 'u1', message: 'too much' } }],
      ['error', { approval: { decision: 'expired' } }],
    ]);
  });

  it('keeps a decision if the run moves to another process before the call is made', async () => {
    const waiting = await runTest(test());
    if (waiting.outcome.kind !== 'waiting') throw new Error('It does not wait.');
    let asked = 0;
    const moved = await runTest({
      ...test(),
      state: waiting.outcome.state,
      records: waiting.records,
      resume: decision('approve'),
      stop: () => ((asked += 1) > 1 ? 'drain' : undefined),
    });
    if (moved.outcome.kind !== 'stopped') throw new Error('It was not stopped.');
    const { state } = moved.outcome;
    const next = await runTest({ ...test(), state: decodeState(encodeState(state)), records: moved.records });
    expect(made).toEqual(['Look 1', 'Pay 0']);
    expect(next.outcome).toMatchObject({ kind: 'waiting', wait: { input: { at: 2 } } });
  });

  it('is one with any value that is not known, and not one with none or pinned items', async () => {
    expect((await runTest(test('requird'))).outcome.kind).toBe('waiting');
    expect((await runTest(test('none'))).outcome.kind).toBe('success');
    const pinned = await runTest(test('required', { definition: { pinData: { Pay: [{ json: {} }] } } }));
    expect(pinned.outcome.kind).toBe('success');
  });
});
