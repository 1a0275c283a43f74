import { decodeExecutionIds } from '@weft/proto/execution-queue';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { queueConsumer } from '@weft/service-kit/testing';
import { OWNER, startOf, startTestStack, webhookStartOf, type Replica, type TestStack } from './stack';

describe('StartExecutions', () => {
  let stack: TestStack;
  let replica: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
  });
  afterAll(() => stack.stop());

  it('accepts or refuses entry by entry', async () => {
    const workflow = stack.workflows.add();
    const starts = [
      startOf(workflow),
      startOf(workflow, { workflowId: 'x' }),
      startOf(workflow, { idempotencyKey: 'same', input: Buffer.from('{"n":1}') }),
      startOf(workflow, { idempotencyKey: 'same', input: Buffer.from('{"n":1}') }),
      startOf(workflow, { idempotencyKey: 'same', input: Buffer.from('{"n":2}') }),
    ];
    const { results } = await replica.executions.startExecutions({ starts }, { principal: OWNER });
    const reasons = results.map(({ result }) =>
      result?.$case === 'error' ? fromRpcStatus(result.value).reason : 'started',
    );
    const losers = reasons.slice(2).filter((reason) => reason !== 'started');
    expect(reasons.slice(0, 2)).toEqual(['started', 'WORKFLOW_NOT_FOUND']);
    expect(losers.length).toBeGreaterThan(0);
    expect(new Set(losers)).toEqual(new Set(['IDEMPOTENCY_KEY_REUSED']));
    expect(
      await stack.database.collection('executions').countDocuments({ idempotencyKey: 'api:user-owner:same' }),
    ).toBe(1);
  });

  it('prepares a list in one call, and notifies runners in a few messages', async () => {
    const before = stack.workflows.prepared.length;
    const workflow = stack.workflows.add();
    const starts = Array.from({ length: 40 }, () => startOf(workflow));
    const { results } = await replica.executions.startExecutions({ starts }, { principal: OWNER });
    expect(stack.workflows.prepared.slice(before)).toEqual([40]);

    const ids = new Set(results.map(({ result }) => (result?.$case === 'started' ? result.value.executionId : '')));
    expect(ids.size).toBe(40);
    const consumer = await queueConsumer(stack.nats, stack.queue, stack.queue.overflow);
    const told = new Set<string>();
    let messages = 0;
    // What was started before may still be on its way.
    while (told.size < ids.size) {
      const message = await consumer.next({ expires: 5_000 });
      if (message === null) throw new Error(`Only ${told.size} of the executions were told.`);
      const ours = decodeExecutionIds(message.data).filter((id) => ids.has(id));
      if (ours.length > 0) messages += 1;
      for (const id of ours) told.add(id);
      message.ack();
    }
    expect(messages).toBe(3);
  });

  it('takes webhook starts from the gateway without asking for the current version', async () => {
    const before = stack.workflows.prepared.length;
    const workflow = stack.workflows.add();
    const { results } = await replica.executions.startExecutions({
      starts: [webhookStartOf(workflow), webhookStartOf(workflow)],
    });
    expect(results.every(({ result }) => result?.$case === 'started')).toBe(true);
    expect(stack.workflows.prepared).toHaveLength(before);
  });

  it('refuses a list that is too long', async () => {
    const workflow = stack.workflows.add();
    const starts = Array.from({ length: 501 }, () => startOf(workflow));
    await expect(replica.executions.startExecutions({ starts }, { principal: OWNER })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
    });
  });
});
