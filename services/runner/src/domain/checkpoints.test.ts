import { createCheckpoints } from './checkpoints';
import { initialState, type NodeRunEvent, RUN_MEMORY } from '@weft/engine';
import type { ExecutionStore, Progress } from './execution-store';
import { createHeldExecutions } from './held-executions';

const refuse = () => Promise.reject(new Error('not part of this test'));

const recorded = (outcome: 'applied' | 'fenced' = 'applied') => {
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
    readNodeRuns: refuse,
    readChunk: refuse,
    checkpoint: (progress) => {
      saved.push(progress);
      return Promise.resolve(outcome);
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

const event = (executionIndex: number, actsOutside = false, text = ''): NodeRunEvent => {
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
    state: () => initialState('N'),
    record,
    json: Buffer.from(JSON.stringify(record)),
  };
};

describe('checkpoints of a run', () => {
  it('name the token that the run has given out, once it has', async () => {
    const { saved, checkpoints } = recorded();
    await checkpoints.onNodeRun(event(0, true));
    const withToken = { ...initialState('N'), memories: { [RUN_MEMORY]: { resumeToken: 'secret' } } };
    await checkpoints.onNodeRun({ ...event(1, true), state: () => withToken });
    expect(saved.map(({ resumeTokenHash }) => resumeTokenHash)).toEqual([
      undefined,
      '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b',
    ]);
  });

  it('are taken after a node that acted outside, with everything since the last one', async () => {
    const { saved, checkpoints } = recorded();
    await checkpoints.onNodeRun(event(0));
    expect(saved).toEqual([]);
    await checkpoints.onNodeRun(event(1, true));
    expect(
      saved.map((progress) => [
        progress.executionId,
        progress.fence,
        progress.checkpoint,
        progress.nodeRuns.map((run) => run.executionIndex),
      ]),
    ).toEqual([['e', 7, 5, [0, 1]]]);
    await checkpoints.onNodeRun(event(2));
    expect(checkpoints.unsaved()).toMatchObject({ checkpoint: 5, nodeRuns: [{ executionIndex: 2 }] });
  });

  it('are taken once a second, and before much waits to be stored', async () => {
    const { saved, checkpoints, pass } = recorded();
    pass(1_001);
    await checkpoints.onNodeRun(event(0));
    expect(saved).toHaveLength(1);
    await checkpoints.onNodeRun(event(1, false, 'x'.repeat(200_000)));
    expect(saved).toHaveLength(2);
  });

  it('abort the run when another runner has it', async () => {
    const { held, checkpoints } = recorded('fenced');
    await checkpoints.onNodeRun(event(0, true));
    expect(held.signal.reason).toBe('lost');
  });
});
