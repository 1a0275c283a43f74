import { decodeExecutionIds } from '@weft/proto/execution-queue';
import { uuidv7 } from '@weft/service-kit/ids';
import { idAt } from '../../src/domain/state/id-at';
import { fromRpcStatus } from '@weft/service-kit/grpc';
import { queueConsumer } from '@weft/service-kit/testing';
import { startTestStack, webhookStartOf, type Replica, type TestStack } from '../support/stack';

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
      webhookStartOf(workflow),
      webhookStartOf(workflow, { workflowId: 'x' }),
      webhookStartOf(workflow, { idempotencyKey: 'same', input: Buffer.from('[{"json":{"body":{"n":1}}}]') }),
      webhookStartOf(workflow, { idempotencyKey: 'same', input: Buffer.from('[{"json":{"body":{"n":1}}}]') }),
      webhookStartOf(workflow, { idempotencyKey: 'same', input: Buffer.from('[{"json":{"body":{"n":2}}}]') }),
    ];
    const { results } = await replica.executions.startExecutions({ starts });
    const reasons = results.map(({ result }) =>
      result?.$case === 'error' ? fromRpcStatus(result.value).reason : 'started',
    );
    const losers = reasons.slice(2).filter((reason) => reason !== 'started');
    expect(reasons.slice(0, 2)).toEqual(['started', 'WORKFLOW_NOT_FOUND']);
    expect(losers.length).toBeGreaterThan(0);
    expect(new Set(losers)).toEqual(new Set(['IDEMPOTENCY_KEY_REUSED']));
    const { workflowId } = workflow;
    const stored = { workflowId, idempotencyKey: { $exists: true } };
    expect(await stack.database.collection('executions').countDocuments(stored)).toBe(1);
  });

  it('starts an event once, whatever id each of its calls has', async () => {
    const workflow = stack.workflows.add();
    const call = (over: object) => webhookStartOf(workflow, { executionId: uuidv7(), ...over });
    const startedBy = async (over: object): Promise<string> => {
      const { results } = await replica.executions.startExecutions({ starts: [call(over)] });
      const [first] = results;
      return first?.result?.$case === 'started' ? first.result.value.executionId : '';
    };
    const first = await startedBy({ eventKey: 'a' });
    const input = Buffer.from('[{"json":{"query":{"changed":"1"}}}]');
    expect([await startedBy({ eventKey: 'a' }), await startedBy({ eventKey: 'a', input })]).toEqual([first, first]);
    const others = [
      await startedBy({ eventKey: 'b' }),
      await startedBy({ eventKey: 'a', startNode: 'Other' }),
      await startedBy({ eventKey: 'a', eventKeySigned: true }),
      await startedBy({ eventKey: 'a', idempotencyKey: 'k' }),
      await startedBy({ idempotencyKey: 'a' }),
    ];
    expect(new Set([first, ...others, '']).size).toBe(others.length + 2);
  });

  it('forgets an event after 24 h, unless it was signed', async () => {
    const workflow = stack.workflows.add();
    const DAY_MS = 86_400_000;
    const startedBy = async (executionId: string, eventKeySigned: boolean): Promise<string> => {
      const start = webhookStartOf(workflow, { executionId, eventKey: 'a', eventKeySigned });
      return (await replica.executions.startExecution({ start })).started?.executionId ?? '';
    };
    const idAgo = (ms: number): string =>
      idAt(new Date(Date.now() - ms)).replace(/^(.{13}).*/, `$1${uuidv7().slice(13)}`);
    for (const [isSigned, age] of [
      [false, DAY_MS - 60_000],
      [true, 2 * DAY_MS],
    ] as const) {
      const first = idAgo(age);
      await startedBy(first, isSigned);
      expect(await startedBy(uuidv7(), isSigned)).toBe(first);
      await stack.database.collection<{ _id: string }>('executions').deleteOne({ _id: first });
    }
    await startedBy(idAgo(DAY_MS + 60_000), false);
    const [second, third] = [uuidv7(), uuidv7()];
    expect([await startedBy(second, false), await startedBy(third, false)]).toEqual([second, second]);
  });

  it('stores with each execution the id of the request that it serves', async () => {
    const workflow = stack.workflows.add();
    const starts = ['first-1', 'second-2', 'not an id', undefined].map((requestId) =>
      webhookStartOf(workflow, requestId === undefined ? {} : { requestId }),
    );
    const { results } = await replica.executions.startExecutions({ starts });
    const stored = await Promise.all(
      results.map(({ result }) => stack.stored(result?.$case === 'started' ? result.value.executionId : '')),
    );
    const [first, second, ...others] = stored.map((record) => record?.requestId);
    expect([first, second]).toEqual(['first-1', 'second-2']);
    for (const id of others) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('is the only RPC with the id of a request in a start: a call for one start has its own', async () => {
    const start = webhookStartOf(stack.workflows.add(), { requestId: 'first-1' });
    await expect(replica.executions.startExecution({ start })).rejects.toMatchObject({
      kind: 'invalid',
      fields: [{ field: 'requestId', message: 'must not be set: it is taken from the call metadata' }],
    });
  });

  it('notifies runners of a list in a few messages', async () => {
    const workflow = stack.workflows.add();
    const starts = Array.from({ length: 40 }, () => webhookStartOf(workflow));
    const { results } = await replica.executions.startExecutions({ starts });

    const ids = new Set(results.map(({ result }) => (result?.$case === 'started' ? result.value.executionId : '')));
    expect(ids.size).toBe(40);
    const consumer = await queueConsumer(stack.nats, stack.queue, stack.queue.overflow);
    const told = new Set<string>();
    let messages = 0;
    // Messages of earlier starts may still arrive.
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

  it('accepts webhook starts from the gateway without fetching the current version', async () => {
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
    const starts = Array.from({ length: 501 }, () => webhookStartOf(workflow));
    await expect(replica.executions.startExecutions({ starts })).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
  });
});
