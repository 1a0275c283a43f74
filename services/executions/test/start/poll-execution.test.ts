import { createHash } from 'node:crypto';
import {
  claim,
  OWNER,
  reportOf,
  start,
  startTestStack,
  webhookStartOf,
  type Replica,
  type TestStack,
} from '../support/stack';

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

describe('PollExecution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());

  const byToken = (resumeToken: string, waitMs = 0) => ({
    resumeToken,
    workflowId: '',
    startNode: '',
    idempotencyKey: '',
    waitMs,
  });
  const park = (executionId: string, token: string, fence = 1) =>
    replica.runner.wait({
      entries: [
        {
          executionId,
          fence,
          checkpoint: fence - 1,
          nodeRuns: [],
          engineState: Buffer.from('s'),
          lastNode: 'Form',
          resumeTokenHash: hashOf(token),
          childExecutionId: '',
          resumeSettings: { suffix: 'pay' },
        },
      ],
    });

  it('returns at once what waits for a token, and after its wake-up which response is next', async () => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    await park(executionId, 't1');
    expect(await replica.executions.pollExecution(byToken('t1', 5_000))).toMatchObject({
      polled: { executionId },
      waiting: { executionId, settings: { suffix: 'pay' } },
    });
    await replica.executions.resumeExecution({ resumeToken: 't1', input: Buffer.alloc(0), wait: 0, waitMs: 0 });
    const running = await replica.executions.pollExecution(byToken('t1'));
    expect([running.waiting, running.polled?.ended, running.polled?.response]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const following = replica.executions.pollExecution(byToken('t1', 10_000));
    const again = await claim(replica, executionId);
    await replica.runner.report({
      entries: [
        {
          ...reportOf(executionId, again.fence),
          checkpoint: 1,
          response: { statusCode: 200, headers: [], body: Buffer.from('done') },
        },
      ],
    });
    const { polled } = await following;
    expect([polled?.response?.body.toString(), polled?.ended?.id]).toEqual(['done', executionId]);
  });

  it('returns the next wait for the same token', async () => {
    const { executionId } = await claim(replica, await start(replica, stack.workflows.add()));
    await park(executionId, 't2');
    await replica.executions.resumeExecution({ resumeToken: 't2', input: Buffer.alloc(0), wait: 0, waitMs: 0 });
    const again = await claim(replica, executionId);
    await park(executionId, 't2', again.fence);
    expect((await replica.executions.pollExecution(byToken('t2', 5_000))).waiting?.executionId).toBe(executionId);
  });

  it("finds a run by the key it was started with, and no other caller's", async () => {
    const workflow = stack.workflows.add();
    const key = { workflowId: workflow.workflowId, startNode: 'Webhook', idempotencyKey: 'form-1' };
    const { started } = await replica.executions.startExecution({
      start: webhookStartOf(workflow, { idempotencyKey: 'form-1', input: Buffer.from('[{"json":{}}]') }),
    });
    expect((await replica.executions.pollExecution({ resumeToken: '', ...key, waitMs: 0 })).polled?.executionId).toBe(
      started?.executionId,
    );
    await expect(
      replica.executions.pollExecution({ resumeToken: '', ...key, startNode: 'Other', waitMs: 0 }),
    ).rejects.toMatchObject({ reason: 'EXECUTION_NOT_FOUND' });
    await expect(replica.executions.pollExecution(byToken('never'))).rejects.toMatchObject({
      reason: 'RESUME_TOKEN_UNKNOWN',
    });
  });

  it('is only for the gateway', async () => {
    await expect(replica.executions.pollExecution(byToken('t1'), { principal: OWNER })).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await expect(replica.asService('workflows').pollExecution(byToken('t1'))).rejects.toMatchObject({
      kind: 'forbidden',
    });
  });
});
