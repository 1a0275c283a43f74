import { ExecutionMode, ExecutionState, ExecutionStatus } from '@weft/proto/executions';
import { uuidv7 } from '@weft/service-kit/ids';
import {
  claim,
  failedReportOf,
  OWNER,
  start,
  startTestStack,
  webhookStartOf,
  type Replica,
  type TestStack,
} from '../support/stack';

describe('GetExecution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const get = (executionId: string, role: 'owner' | 'viewer' = 'owner') =>
    replica.executions.getExecution({ executionId }, { principal: { userId: 'u', role } });

  it('returns the exact state and the public status of a run', async () => {
    const workflow = stack.workflows.add();
    const executionId = await start(replica, workflow);
    const { execution } = await get(executionId, 'viewer');
    expect(execution).toMatchObject({
      id: executionId,
      workflowId: workflow.workflowId,
      versionId: workflow.versionId,
      ownerId: workflow.ownerId,
      mode: ExecutionMode.EXECUTION_MODE_MANUAL,
      state: ExecutionState.EXECUTION_STATE_QUEUED,
      status: ExecutionStatus.EXECUTION_STATUS_RUNNING,
      lastNode: '',
      crashes: 0,
      nodeRunCount: 0,
    });
    expect(execution?.createdAt).toBeInstanceOf(Date);
    expect([execution?.startedAt, execution?.finishedAt, execution?.error]).toEqual([undefined, undefined, undefined]);
  });

  it('returns times and error of a failed run', async () => {
    const executionId = await start(replica, stack.workflows.add());
    await claim(replica, executionId);
    await replica.runner.report({ entries: [failedReportOf(executionId, 1)] });
    const { execution } = await get(executionId);
    expect(execution?.error).toEqual({
      reason: 'NODE_ERROR',
      message: 'it broke',
      node: 'N',
      errorJson: '{"message":"it broke","name":"NodeError"}',
    });
    expect(execution?.startedAt?.getTime()).toBeLessThanOrEqual(execution?.finishedAt?.getTime() ?? 0);
  });

  it('waits for the end of a run, at most for the time that the caller gives', async () => {
    const executionId = await start(replica, stack.workflows.add());
    const waitFor = (waitMs: number) => replica.executions.getExecution({ executionId, waitMs }, { principal: OWNER });
    const began = performance.now();
    expect((await waitFor(200)).execution?.state).toBe(ExecutionState.EXECUTION_STATE_QUEUED);
    expect(performance.now() - began).toBeGreaterThan(150);
    const ended = waitFor(8_000);
    await claim(replica, executionId);
    await replica.runner.report({ entries: [failedReportOf(executionId, 1)] });
    expect((await ended).execution?.state).toBe(ExecutionState.EXECUTION_STATE_ERROR);
    expect(performance.now() - began).toBeLessThan(7_000);
    await expect(waitFor(25_001)).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });

  it.each([uuidv7(), 'x', ''])('reports the missing id: %s', async (executionId) => {
    await expect(get(executionId)).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_FOUND',
      kind: 'not-found',
      details: { executionId },
    });
  });

  it('fences a missing id for the gateway: a start that arrives later is refused', async () => {
    const workflow = stack.workflows.add();
    const asOwner = { principal: { userId: 'u', role: 'owner' as const } };
    const startLate = (executionId: string, repeatedStart: boolean) =>
      replica.executions.startExecution({ start: webhookStartOf(workflow, { executionId, repeatedStart }) });
    for (const repeated of [false, true]) {
      const id = uuidv7();
      for (let time = 0; time < 2; time += 1)
        await expect(replica.executions.getExecution({ executionId: id, fence: true }, asOwner)).rejects.toMatchObject({
          reason: 'EXECUTION_NOT_FOUND',
        });
      for (const isRepeated of [repeated, true])
        await expect(startLate(id, isRepeated)).rejects.toMatchObject({ reason: 'EXECUTION_ID_TAKEN' });
      // The fence of a first attempt has been moved out of the executions.
      expect((await stack.stored(id)) === undefined).toBe(!repeated);
      await expect(get(id)).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
    }
    const { executions } = await replica.executions.listExecutions(
      { limit: 100, cursor: '', workflowId: '', status: 0 },
      asOwner,
    );
    expect(executions.map(({ workflowId }) => workflowId)).not.toContain('');
    const unfenced = uuidv7();
    await expect(get(unfenced)).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
    expect((await startLate(unfenced, false)).started?.executionId).toBe(unfenced);
    const { execution } = await replica.executions.getExecution({ executionId: unfenced, fence: true }, asOwner);
    expect(execution?.id).toBe(unfenced);
  });

  it('is not for services acting for themselves', async () => {
    await expect(replica.executions.getExecution({ executionId: uuidv7() })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      replica.asService('runner').getExecution({ executionId: uuidv7() }, { principal: OWNER }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
