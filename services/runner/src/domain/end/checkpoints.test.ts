import { createCheckpoints } from './checkpoints';
import { encodeState, initialState, type NodeRunEvent, RUN_MEMORY } from '@weft/engine';
import type { ExecutionStore, Progress } from '../claims/held/execution-store';
import { createHeldExecutions } from '../claims/held/held-executions';
import { until } from '@weft/service-kit/testing';

const refuse = () => Promise.reject(new Error('not part of this test'));

const recorded = (answer: () => Promise<'applied' | 'fenced'> = () => Promise.resolve('applied')) => {
  let now = 0;
  const saved: Progress[] = [];
  const store: ExecutionStore = {
    claim: refuse,
    heartbeat: refuse,
    persist: refuse,
    report: refuse,
    release: refuse,
    pause: refuse,
    respond: refuse,
    startChild: refuse,
    acquireSlot: refuse,
    findFirstResult: refuse,
    countModelTokens: refuse,
    readNodeRuns: refuse,
    readChunk: refuse,
    checkpoint: (progress) => {
      saved.push(progress);
      return answer();
    },
  };
  const held = createHeldExecutions(() => now).hold('e', 7, 30_000, 0);
  return {
    saved,
    held,
    checkpoints: createCheckpoints(store, held, 4, () => now),
    pass: (ms: number) => {
      now += ms;
    },
  };
};

const event = (executionIndex: number, actsOutside = false, text = '', ends = false): NodeRunEvent => {
  const record = {
    startTime: 0,
    executionTime: 0,
    executionIndex,
    source: [],
    hints: [],
    executionStatus: 'success' as const,
    data: { main: [[{ json: { text } }]] },
  };
  return {
    node: 'N',
    run: executionIndex,
    actsOutside,
    ends,
    joinsNext: false,
    state: () => initialState('N'),
    record,
    json: Buffer.from(JSON.stringify(record)),
  };
};

describe('checkpoints of a run', () => {
  it('contain the token that the run has published, from then on', async () => {
    const { saved, checkpoints } = recorded();
    await checkpoints.onNodeRun(event(0, true));
    await checkpoints.flush();
    const withToken = { ...initialState('N'), memories: { [RUN_MEMORY]: { resumeToken: 'secret' } } };
    await checkpoints.onNodeRun({ ...event(1, true), state: () => withToken });
    await checkpoints.flush();
    expect(saved.map(({ resumeTokenHash }) => resumeTokenHash)).toEqual([
      undefined,
      '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b',
    ]);
  });

  it('contain the calls and tokens of models, as their state has them', async () => {
    const { saved, checkpoints } = recorded();
    const counts = { modelCalls: 2, inputTokens: 20, outputTokens: 4, tokens: 24, cost: 0.1234567 };
    const withCalls = { ...initialState('N'), memories: { [RUN_MEMORY]: { models: counts } } };
    await checkpoints.onNodeRun({ ...event(0, true), state: () => withCalls });
    await checkpoints.flush();
    const modelUsage = { calls: 2, inputTokens: 20, outputTokens: 4, totalTokens: 24, cost: 0.123457 };
    expect(saved.map((progress) => progress.modelUsage)).toEqual([modelUsage]);
    await checkpoints.onNodeRun({ ...event(1), modelUsage });
    expect(checkpoints.unsaved()).toMatchObject({ modelUsage });
  });

  it('contain facts that the service shows without the record', async () => {
    const { saved, checkpoints } = recorded();
    const failed = event(0, true);
    const error = { name: 'NodeOperationError', message: 'm'.repeat(400) };
    const record = {
      ...failed.record,
      startTime: 1_700_000_000_000,
      executionTime: 12,
      executionStatus: 'error' as const,
      error,
    };
    await checkpoints.onNodeRun({ ...failed, record: { ...record, data: { main: [[], [{ json: {} }]] } } });
    await checkpoints.flush();
    expect(saved[0]?.nodeRuns[0]?.facts).toEqual({
      startedAtMs: 1_700_000_000_000,
      durationMs: 12,
      outputItems: [0, 1],
      errorMessage: 'm'.repeat(300),
    });
  });

  it('never contain the failure that ends the run, however large or late it is', async () => {
    const { saved, checkpoints, pass } = recorded();
    await checkpoints.onNodeRun(event(0, true));
    pass(5_000);
    await checkpoints.onNodeRun(event(1, true, 'x'.repeat(2 * 1024 * 1024), true));
    await checkpoints.halt();
    expect(saved.flatMap(({ nodeRuns }) => nodeRuns.map((run) => run.executionIndex))).not.toContain(1);
    expect(checkpoints.unsaved().nodeRuns.at(-1)).toMatchObject({ executionIndex: 1 });
  });

  it('never end between the run of a sub-node and what is stored with it', async () => {
    const { saved, checkpoints } = recorded();
    await checkpoints.onNodeRun({ ...event(0, true, 'x'.repeat(2_000_000)), joinsNext: true });
    expect(saved).toEqual([]);
    await checkpoints.onNodeRun(event(1, true));
    await checkpoints.flush();
    expect(saved.map(({ nodeRuns }) => nodeRuns.length)).toEqual([2]);
  });

  it('are stored soon after a side-effecting node, with everything up to that node', async () => {
    const { saved, checkpoints } = recorded();
    await checkpoints.onNodeRun(event(0));
    await checkpoints.onNodeRun(event(1, true));
    expect(saved).toEqual([]);
    await checkpoints.onNodeRun(event(2));
    await until('it is stored', () => saved.length > 0);
    expect(
      saved.map((progress) => [
        progress.executionId,
        progress.fence,
        progress.checkpoint,
        progress.nodeRuns.map((run) => run.executionIndex),
      ]),
    ).toEqual([['e', 7, 5, [0, 1]]]);
    await checkpoints.halt();
    expect(checkpoints.unsaved()).toMatchObject({ checkpoint: 5, nodeRuns: [{ executionIndex: 2 }] });
  });

  it('are stored before another side-effecting node, and not at all if the run halts before', async () => {
    const { saved, checkpoints } = recorded();
    await checkpoints.onNodeRun(event(0, true));
    await checkpoints.flush();
    expect(saved).toMatchObject([{ checkpoint: 5, nodeRuns: [{ executionIndex: 0 }] }]);
    await checkpoints.onNodeRun(event(1, true));
    await checkpoints.halt();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(saved).toHaveLength(1);
    expect(checkpoints.unsaved()).toMatchObject({ checkpoint: 5, nodeRuns: [{ executionIndex: 1 }] });
  });

  it('are sequential: one that is due while another is in flight includes later node runs', async () => {
    const ends: (() => void)[] = [];
    const { saved, checkpoints } = recorded(() => new Promise((resolve) => ends.push(() => resolve('applied'))));
    const answered = async (): Promise<void> => {
      await until('a write is under way', () => ends.length > 0);
      ends.shift()?.();
    };
    await checkpoints.onNodeRun(event(0, true));
    const first = checkpoints.flush();
    const second = checkpoints.onNodeRun(event(1, false, 'x'.repeat(1_100_000)));
    await answered();
    await first;
    await answered();
    await second;
    await checkpoints.onNodeRun(event(2, true));
    expect(saved.map(({ checkpoint, nodeRuns }) => [checkpoint, nodeRuns.map((run) => run.executionIndex)])).toEqual([
      [5, [0]],
      [6, [1]],
    ]);
    expect(checkpoints.reached()).toMatchObject({ checkpoint: 6, nodeRuns: [{ executionIndex: 2 }] });
  });

  it('contain the point from which a halting run can continue: after its last side-effecting node', async () => {
    const { checkpoints } = recorded();
    await checkpoints.onNodeRun(event(0));
    expect(checkpoints.reached()).toMatchObject({ nodeRuns: [], engineState: new Uint8Array() });
    await checkpoints.onNodeRun(event(1, true));
    await checkpoints.onNodeRun(event(2));
    const { nodeRuns, engineState } = checkpoints.reached();
    expect(nodeRuns.map((run) => run.executionIndex)).toEqual([0, 1]);
    expect(engineState).toEqual(encodeState(initialState('N')));
    await checkpoints.halt();
  });

  it('that are refused end the run at its next node or call, and at its end', async () => {
    const refused = new Error('too large');
    const { checkpoints } = recorded(() => Promise.reject(refused));
    await checkpoints.onNodeRun(event(0, true));
    await expect(checkpoints.flush()).rejects.toBe(refused);
    await expect(checkpoints.flush()).rejects.toBe(refused);
    expect(() => checkpoints.onNodeRun(event(1))).toThrow(refused);
    await expect(checkpoints.halt()).rejects.toBe(refused);
  });

  it('are stored once a second, and before much data waits to be stored', async () => {
    const { saved, checkpoints, pass } = recorded();
    pass(1_001);
    await checkpoints.onNodeRun(event(0));
    expect(saved).toHaveLength(1);
    await checkpoints.onNodeRun(event(1, false, 'x'.repeat(600_000)));
    expect(saved).toHaveLength(1);
    await checkpoints.onNodeRun(event(2, false, 'x'.repeat(600_000)));
    expect(saved.map(({ nodeRuns }) => nodeRuns.length)).toEqual([1, 2]);
  });

  it('abort the run when another runner has it', async () => {
    const { held, checkpoints } = recorded(() => Promise.resolve('fenced'));
    await checkpoints.onNodeRun(event(0, true));
    await checkpoints.flush();
    expect(held.signal.reason).toBe('lost');
  });
});
