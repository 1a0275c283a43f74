import { ApprovalChoice, ExecutionState } from '@weft/proto/executions';
import type { Principal } from '@weft/service-kit/auth';
import { until } from '@weft/service-kit/testing';
import { claim, OWNER, start, startTestStack, type Replica, type TestStack } from '../support/stack';

const DAY_MS = 86_400_000;

describe('DecideApproval', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());

  const waitEntry = (executionId: string, fence: number, expiresMs: number) => ({
    executionId,
    fence,
    checkpoint: fence - 1,
    nodeRuns: [],
    engineState: Buffer.from('s'),
    lastNode: 'Pay',
    resumeTokenHash: '',
    childExecutionId: '',
    resumeAt: new Date(Date.now() + expiresMs),
    approval: { node: 'Pay', tool: 'pay', input: '{"amount":5}' },
  });
  const parked = async (expiresMs = DAY_MS): Promise<string> => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    await replica.runner.wait({ entries: [waitEntry(executionId, 1, expiresMs)] });
    return executionId;
  };
  const approvals = async (executionId: string) =>
    (await replica.executions.getExecution({ executionId }, { principal: OWNER })).execution?.approvals ?? [];
  const decide = (executionId: string, run: string, principal: Principal = OWNER, message = '') =>
    replica.executions.decideApproval(
      { executionId, run, choice: ApprovalChoice.APPROVAL_CHOICE_APPROVE, message },
      { principal },
    );

  it('wakes the run with the decision of a call that the execution lists', async () => {
    const executionId = await parked();
    const [approval, ...others] = await approvals(executionId);
    expect(others).toEqual([]);
    expect(approval).toMatchObject({ node: 'Pay', tool: 'pay', input: '{"amount":5}' });
    expect((approval?.expiresAt?.getTime() ?? 0) - (approval?.requestedAt?.getTime() ?? 0)).toBeGreaterThan(DAY_MS / 2);
    const { execution } = await decide(executionId, approval?.run ?? '', OWNER, 'fine');
    expect(execution).toMatchObject({ state: ExecutionState.EXECUTION_STATE_QUEUED, approvals: [] });
    const { resume } = await claim(replica, executionId);
    expect(JSON.parse(resume.toString())).toEqual({
      kind: 'approval',
      decision: 'approve',
      message: 'fine',
      decidedBy: OWNER.userId,
      decidedAt: expect.any(Number),
    });
  });

  it('is possible once, also if the run waits for another approval by then', async () => {
    const executionId = await parked();
    const run = (await approvals(executionId))[0]?.run ?? '';
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => decide(executionId, run)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ reason: 'APPROVAL_NOT_PENDING', kind: 'conflict' });
    const { fence } = await claim(replica, executionId);
    await replica.runner.wait({ entries: [waitEntry(executionId, fence, DAY_MS)] });
    await expect(decide(executionId, run)).rejects.toMatchObject({ reason: 'APPROVAL_NOT_PENDING' });
    expect((await approvals(executionId))[0]?.run).not.toBe(run);
  });

  it('is refused for other users, unknown approvals, long messages, and cancelled executions', async () => {
    const executionId = await parked();
    const run = (await approvals(executionId))[0]?.run ?? '';
    const stranger: Principal = { userId: 'user-other', role: 'editor' };
    await expect(decide(executionId, run, stranger)).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(decide(executionId, '77')).rejects.toMatchObject({ reason: 'APPROVAL_NOT_PENDING' });
    await expect(decide(executionId, run, OWNER, 'x'.repeat(2_001))).rejects.toMatchObject({ kind: 'invalid' });
    await replica.executions.cancelExecution({ executionId }, { principal: OWNER });
    await expect(decide(executionId, run)).rejects.toMatchObject({ reason: 'APPROVAL_NOT_PENDING' });
  });

  it('is over when the time of the approval is', async () => {
    const executionId = await parked(300);
    await until('the time is over', async () => (await stack.stored(executionId))?.state === 'queued');
    const { resume } = await claim(replica, executionId);
    expect(JSON.parse(resume.toString())).toEqual({ kind: 'timer' });
  });
});
