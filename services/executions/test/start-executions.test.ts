import { decodeExecutionIds } from '@weft/proto/execution-queue';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { queueConsumer } from '@weft/service-kit/nats';
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
      startOf(workflow, { idempotencyKey: 'same', inputJson: Buffer.from('{"n":1}') }),
      startOf(workflow, { idempotencyKey: 'same', inputJson: Buffer.from('{"n":1}') }),
      startOf(workflow, { idempotencyKey: 'same', inputJson: Buffer.from('{"n":2}') }),
    ];
    const { results } = await replica.executions.startExecutions({ starts }, { principal: OWNER });
    const reasons = results.map(({ result }) => (result?.$case === 'failure' ? fromRpcStatus(result.value).reason : 'started'));
    const losers = reasons.slice(2).filter((reason) => reason !== 'started');
    expect(reasons.slice(0, 2)).toEqual(['started', 'WORKFLOW_NOT_FOUND']);
    expect(losers.length).toBeGreaterThan(0);
    expect(new Set(losers)).toEqual(new Set(['IDEMPOTENCY_KEY_REUSED']));
    expect(await stack.database.collection('executions').countDocuments({ dedupeKey: 'api:user-owner:same' })).toBe(1);
  });

  it('prepares a list in one call, and tells runners of it in a few messages', async () => {
    const manager = await stack.nats.jetstreamManager();
    await manager.streams.purge(stack.queue.stream);
    const before = stack.workflows.prepared.length;
    const workflow = stack.workflows.add();
    const starts = Array.from({ length: 40 }, () => startOf(workflow));
    const { results } = await replica.executions.startExecutions({ starts }, { principal: OWNER });
    expect(stack.workflows.prepared.slice(before)).toEqual([40]);

    const consumer = await queueConsumer(stack.nats, stack.queue);
    const told = new Set<string>();
    let messages = 0;
    for await (const message of await consumer.fetch({ max_messages: 3, expires: 5_000 })) {
      messages += 1;
      for (const id of decodeExecutionIds(message.data)) told.add(id);
      message.ack();
    }
    expect(messages).toBe(3);
    expect(told).toEqual(new Set(results.map(({ result }) => (result?.$case === 'started' ? result.value.executionId : ''))));
  });

  it('takes webhook starts from the gateway without asking for the current version', async () => {
    const before = stack.workflows.prepared.length;
    const workflow = stack.workflows.add();
    const { results } = await replica.executions.startExecutions({ starts: [webhookStartOf(workflow), webhookStartOf(workflow)] });
    expect(results.every(({ result }) => result?.$case === 'started')).toBe(true);
    expect(stack.workflows.prepared).toHaveLength(before);
  });

  it('refuses a list that is too long', async () => {
    const workflow = stack.workflows.add();
    const starts = Array.from({ length: 501 }, () => startOf(workflow));
    await expect(replica.executions.startExecutions({ starts }, { principal: OWNER })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });
});
