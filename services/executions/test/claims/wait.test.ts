import { createHash } from 'node:crypto';
import { ExecutionState, ExecutionStatus } from '@weft/proto/executions';
import { WriteOutcome, type WaitEntry } from '@weft/proto/runner';
import { until } from '@weft/service-kit/testing';
import { claim, nodeRun, OWNER, start, startTestStack, type Replica, type TestStack } from '../support/stack';

const { WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_DUPLICATE, WRITE_OUTCOME_FENCED, WRITE_OUTCOME_REFUSED } = WriteOutcome;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

describe('Wait', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '250' });
  });
  afterAll(() => stack.stop());
  const running = async (): Promise<string> =>
    (await claim(replica, await start(replica, stack.workflows.add()))).executionId;
  const entry = (executionId: string, fields: Partial<WaitEntry>): WaitEntry => ({
    executionId,
    fence: 1,
    checkpoint: 0,
    nodeRuns: [nodeRun('Wait', 0)],
    engineState: Buffer.from('parked'),
    lastNode: 'Wait',
    resumeTokenHash: '',
    childExecutionId: '',
    ...fields,
  });
  const wait = async (...entries: WaitEntry[]) => (await replica.runner.wait({ entries })).outcomes;

  it('pauses the run with its progress, once', async () => {
    const executionId = await running();
    const parked = entry(executionId, { resumeTokenHash: hashOf('t-park') });
    expect(await wait(parked, { ...entry(executionId, { resumeTokenHash: hashOf('t') }), fence: 9 })).toEqual([
      WRITE_OUTCOME_APPLIED,
      WRITE_OUTCOME_FENCED,
    ]);
    expect(await wait(parked)).toEqual([WRITE_OUTCOME_DUPLICATE]);
    const { execution } = await replica.executions.getExecution({ executionId }, { principal: OWNER });
    expect(execution).toMatchObject({
      state: ExecutionState.EXECUTION_STATE_WAITING,
      status: ExecutionStatus.EXECUTION_STATUS_WAITING,
      lastNode: 'Wait',
      nodeRunCount: 1,
    });
    expect((await stack.stored(executionId))?.lease).toBeUndefined();
    await expect(claim(replica, executionId)).rejects.toThrow('refused');
  });

  it('continues when its time has come, from where it paused', async () => {
    const executionId = await running();
    await wait(entry(executionId, { resumeAt: new Date(Date.now() + 300) }));
    const claimed = await until('the timer wakes it', () => claim(replica, executionId).catch(() => undefined));
    expect(claimed).toMatchObject({
      fence: 2,
      checkpoint: 1,
      engineState: Buffer.from('parked'),
      resume: Buffer.from('{"kind":"timer"}'),
    });
    expect(await stack.stored(executionId)).toMatchObject({ generation: 1 });
    expect((await stack.stored(executionId))?.wait).toBeUndefined();
  });

  it('returns the event that woke it again, until progress is stored', async () => {
    const executionId = await running();
    await wait(entry(executionId, { resumeAt: new Date() }));
    await until('the timer wakes it', () => claim(replica, executionId).catch(() => undefined));
    await replica.runner.release({
      entries: [{ executionId, fence: 2, checkpoint: 1, nodeRuns: [], engineState: Buffer.alloc(0) }],
    });
    const again = await claim(replica, executionId);
    expect(again.resume.toString()).toBe('{"kind":"timer"}');
    await replica.runner.checkpoint({
      entries: [{ executionId, fence: 3, checkpoint: 3, nodeRuns: [nodeRun('B', 1)], engineState: Buffer.from('on') }],
    });
    expect((await stack.stored(executionId))?.resume).toBeUndefined();
  });

  it('responds to a caller that still waits, unless there was a response before', async () => {
    const answer = (text: string) => ({ statusCode: 202, headers: [], body: Buffer.from(text) });
    const [silent, answered] = [await running(), await running()];
    await replica.runner.respond({ executionId: answered, fence: 1, response: answer('before') });
    const soon = { resumeAt: new Date(Date.now() + 60_000) };
    expect(
      await wait(
        entry(silent, { ...soon, response: answer('meanwhile') }),
        entry(answered, { ...soon, response: answer('meanwhile') }),
      ),
    ).toEqual([WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_APPLIED]);
    expect((await stack.stored(silent))?.response?.body?.toString()).toBe('meanwhile');
    expect((await stack.stored(answered))?.response?.body?.toString()).toBe('before');
  });

  it('refuses a wait that would never end, and a malformed hash', async () => {
    const executionId = await running();
    expect(
      await wait(
        entry(executionId, {}),
        entry(executionId, { resumeTokenHash: 'abc' }),
        entry(await running(), { resumeTokenHash: hashOf('t-good') }),
      ),
    ).toEqual([WRITE_OUTCOME_REFUSED, WRITE_OUTCOME_REFUSED, WRITE_OUTCOME_APPLIED]);
  });
});
