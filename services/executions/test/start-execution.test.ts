import { decodeExecutionIds } from '@weft/proto/execution-queue';
import { ExecutionState, ExecutionStatus } from '@weft/proto/executions';
import { Verdict } from '@weft/proto/runner';
import { queueConsumer } from '@weft/service-kit/nats';
import { claim, nodeRun, OWNER, reportOf, start, startTestStack, type Replica, type TestStack } from './stack';

describe('an execution', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());

  it('is accepted, published, claimed, reported and read', async () => {
    const workflow = stack.workflows.add({ name: 'first' });
    const executionId = await start(replica, workflow, { inputJson: Buffer.from('{"a":1}') });

    const consumer = await queueConsumer(stack.nats, stack.queue);
    const message = await consumer.next({ expires: 5_000 });
    expect(decodeExecutionIds(message?.data ?? new Uint8Array())).toEqual([executionId]);
    message?.ack();

    const { executions, versions, refusedIds, leaseMs } = await replica.runner.claim({ executionIds: [executionId], runnerId: 'r', claimId: 'c', knownVersionIds: [] });
    expect(refusedIds).toEqual([]);
    expect(leaseMs).toBe(30_000);
    expect(executions[0]).toMatchObject({ executionId, fence: 1, checkpoint: 0, startNode: 'Start', inputJson: Buffer.from('{"a":1}') });
    expect(JSON.parse(versions[0]?.definitionJson.toString() ?? '')).toMatchObject({ name: 'first' });

    const { verdicts } = await replica.runner.report({ entries: [reportOf(executionId, 1, { nodeRuns: [nodeRun('Start', 0)], lastNode: 'Start' })] });
    expect(verdicts).toEqual([Verdict.VERDICT_ACCEPTED]);
    const { execution } = await replica.executions.getExecution({ executionId }, { principal: OWNER });
    expect(execution).toMatchObject({ id: executionId, state: ExecutionState.EXECUTION_STATE_SUCCESS, status: ExecutionStatus.EXECUTION_STATUS_SUCCESS, lastNode: 'Start', nodeRunCount: 1 });
    expect((await stack.stored(executionId))?.lease).toBeUndefined();
    await expect(claim(replica, executionId)).rejects.toThrow('refused');
  });
});
