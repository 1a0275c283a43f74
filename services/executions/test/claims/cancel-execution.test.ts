import { ExecutionState } from '@weft/proto/executions';
import { HeartbeatOutcome, WriteOutcome } from '@weft/proto/runner';
import { decodeExecutionIds } from '@weft/proto/execution-queue';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { claim, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from '../support/stack';

describe('CancelExecution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica({ SWEEP_MS: '250' });
  });
  afterAll(() => stack.stop());
  const cancel = (executionId: string, principal: typeof OWNER = OWNER) =>
    replica.executions.cancelExecution({ executionId }, { principal });

  it('cancels a queued run, which is then never claimed', async () => {
    const executionId = await start(replica, stack.workflows.add());
    expect((await cancel(executionId)).execution).toMatchObject({
      state: ExecutionState.EXECUTION_STATE_CANCELLED,
      error: { reason: 'CANCELLED' },
    });
    await expect(claim(replica, executionId)).rejects.toThrow('refused');
  });

  it('cancels a running one: its runner is notified at the next heartbeat, and cannot report anything', async () => {
    const executionId = await start(replica, stack.workflows.add());
    await claim(replica, executionId);
    await cancel(executionId);
    expect(await replica.runner.heartbeat({ runnerId: 'runner-1', held: [{ executionId, fence: 1 }] })).toEqual({
      outcomes: [HeartbeatOutcome.HEARTBEAT_OUTCOME_CANCELLED],
    });
    expect(await replica.runner.report({ entries: [reportOf(executionId, 1)] })).toEqual({
      outcomes: [WriteOutcome.WRITE_OUTCOME_FENCED],
    });
  });

  it('notifies runners at once of cancelled and timed-out runs, but not of other ends', async () => {
    const told = new Set<string>();
    const subscription = stack.nats.subscribe(stack.queue.stoppedSubject, {
      callback: (_, message) => decodeExecutionIds(message.data).forEach((id) => told.add(id)),
    });
    await stack.nats.flush();
    const ended = await start(replica, stack.workflows.add());
    await claim(replica, ended);
    await replica.runner.report({ entries: [reportOf(ended, 1)] });
    await cancel(ended);
    const late = await start(replica, stack.workflows.add({ settings: { executionTimeout: 0.1 } }));
    const cancelled = await start(replica, stack.workflows.add());
    await claim(replica, cancelled);
    await cancel(cancelled);
    await until('both are told', () => told.has(cancelled) && told.has(late));
    expect([...told].sort()).toEqual([cancelled, late].sort());
    subscription.unsubscribe();
  });

  it('changes nothing when repeated, or when the run has already ended', async () => {
    const executionId = await start(replica, stack.workflows.add());
    await claim(replica, executionId);
    await replica.runner.report({ entries: [reportOf(executionId, 1)] });
    const before = await stack.stored(executionId);
    expect((await cancel(executionId)).execution?.state).toBe(ExecutionState.EXECUTION_STATE_SUCCESS);
    expect(await stack.stored(executionId)).toEqual(before);
  });

  it('is for owners, admins and the editor who owns the run; an unknown id is unknown to all readers', async () => {
    const workflow = stack.workflows.add({}, 'user-e');
    const executionId = await start(replica, workflow);
    await expect(cancel(executionId, { userId: 'other', role: 'editor' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
      details: { executionId },
    });
    await expect(cancel(executionId, { userId: 'user-e', role: 'viewer' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(cancel(uuidv7(), { userId: 'other', role: 'editor' })).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_FOUND',
    });
    expect((await stack.stored(executionId))?.state).toBe('queued');
    await expect(cancel(executionId, { userId: 'user-e', role: 'editor' })).resolves.toBeDefined();
  });
});
