import { ExecutionState, StartWait, type ExecutionStart } from '@weft/proto/executions';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import {
  claim,
  failedReportOf,
  OWNER,
  reportOf,
  start,
  startOf,
  startTestStack,
  webhookStartOf,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const { START_WAIT_END, START_WAIT_RESPONSE } = StartWait;
const answerOf = (text: string) => ({
  statusCode: 202,
  headers: [{ name: 'x-a', value: 'b' }],
  body: Buffer.from(text),
});

describe('a start that waits', () => {
  let stack: TestStack;
  let replica: Replica;
  let other: Replica;
  beforeAll(async () => {
    stack = await startTestStack();
    replica = await stack.startReplica();
    other = await stack.startReplica();
  });
  afterAll(() => stack.stop());
  const startWaiting = (workflow: FakeWorkflow, fields: Partial<ExecutionStart>, at = replica) =>
    at.executions.startExecution(
      { start: startOf(workflow, { waitMs: 10_000, ...fields }) },
      { principal: OWNER, waits: true, deadlineMs: 12_000 },
    );
  const idOf = (workflow: FakeWorkflow): Promise<string> =>
    until(
      'the run is accepted',
      async () =>
        (await stack.database.collection<{ _id: string }>('executions').findOne({ workflowId: workflow.workflowId }))
          ?._id,
    );
  /** Starts an execution, lets a runner act through the other replica, and returns the response. */
  const during = async (fields: Partial<ExecutionStart>, run: (executionId: string) => Promise<unknown>) => {
    const workflow = stack.workflows.add();
    const answering = startWaiting(workflow, fields);
    const executionId = await idOf(workflow);
    await claim(other, executionId);
    await run(executionId);
    return (await answering).started;
  };

  it('for the response gets it before the run has ended', async () => {
    const started = await during({ wait: START_WAIT_RESPONSE }, (executionId) =>
      other.runner.respond({ executionId, fence: 1, response: answerOf('hello') }),
    );
    expect(started?.response).toEqual(answerOf('hello'));
    expect(started?.ended).toBeUndefined();
  });

  it('for the response gets the end of a run without one', async () => {
    const started = await during({ wait: START_WAIT_RESPONSE }, (executionId) =>
      other.runner.report({ entries: [failedReportOf(executionId, 1)] }),
    );
    expect(started?.response).toBeUndefined();
    expect(started?.ended).toMatchObject({
      state: ExecutionState.EXECUTION_STATE_ERROR,
      error: { message: 'it broke' },
    });
  });

  it('for the end is not completed by a response', async () => {
    const started = await during({ wait: START_WAIT_END }, async (executionId) => {
      await other.runner.respond({ executionId, fence: 1, response: answerOf('early') });
      await other.runner.report({ entries: [reportOf(executionId, 1)] });
    });
    expect(started?.ended).toMatchObject({ state: ExecutionState.EXECUTION_STATE_SUCCESS });
    expect(started?.response).toEqual(answerOf('early'));
  });

  it('gets a large response completely', async () => {
    const text = 'y'.repeat(3_000_000);
    const started = await during({ wait: START_WAIT_RESPONSE }, (executionId) =>
      other.runner.respond({ executionId, fence: 1, response: answerOf(text) }),
    );
    expect(started?.response?.body.toString()).toBe(text);
  });

  it('gets "not yet", with the id, when its time is over', async () => {
    const { started } = await startWaiting(stack.workflows.add(), { wait: START_WAIT_END, waitMs: 100 });
    expect(started).toMatchObject({ existing: false });
    expect([started?.response, started?.ended]).toEqual([undefined, undefined]);
    expect((await stack.stored(started?.executionId ?? ''))?.state).toBe('queued');
  });

  it('gets "not yet" in time for its own deadline', async () => {
    const answer = replica.executions.startExecution(
      { start: startOf(stack.workflows.add(), { wait: START_WAIT_END }) },
      { principal: OWNER, waits: true, deadlineMs: 1_000 },
    );
    expect((await answer).started?.executionId).toBeDefined();
  });

  it('gets the stored response when it repeats its idempotency key', async () => {
    const workflow = stack.workflows.add();
    const executionId = await start(replica, workflow, { idempotencyKey: 'again' });
    await claim(replica, executionId);
    await replica.runner.report({ entries: [reportOf(executionId, 1, { response: answerOf('kept') })] });
    const { started } = await startWaiting(workflow, { wait: START_WAIT_RESPONSE, idempotencyKey: 'again' }, other);
    expect(started).toMatchObject({ executionId, existing: true, response: answerOf('kept') });
  });

  it('is completed by the poll once a second when every hint is lost', async () => {
    const deaf = await stack.startReplica({ NATS_STREAM: `${stack.queue.stream}_DEAF` });
    const workflow = stack.workflows.add();
    const answering = startWaiting(workflow, { wait: START_WAIT_END }, deaf);
    const executionId = await idOf(workflow);
    await claim(other, executionId);
    await other.runner.report({ entries: [reportOf(executionId, 1)] });
    expect((await answering).started?.ended).toBeDefined();
    await stack.nats.jetstreamManager().then((manager) => manager.streams.delete(`${stack.queue.stream}_DEAF`));
  });

  it('is completed when the run is cancelled, and when it is deleted', async () => {
    const cancelled = await during({ wait: START_WAIT_END }, (executionId) =>
      other.executions.cancelExecution({ executionId }, { principal: OWNER }),
    );
    expect(cancelled?.ended?.state).toBe(ExecutionState.EXECUTION_STATE_CANCELLED);
    const deleted = await during({ wait: START_WAIT_END }, (executionId) =>
      other.executions.deleteExecution({ executionId }, { principal: OWNER }),
    );
    expect(deleted?.executionId).toBeDefined();
  });

  it('is released with its id when its replica stops, and continues to wait at another under the same id', async () => {
    const stopping = await stack.startReplica({ DRAIN_MS: '20000' });
    const workflow = stack.workflows.add();
    const executionId = uuidv7();
    const startAt = (at: Replica, repeatedStart?: true) =>
      at.executions.startExecution(
        {
          start: webhookStartOf(workflow, {
            executionId,
            wait: START_WAIT_RESPONSE,
            waitMs: 20_000,
            ...(repeatedStart === true ? { repeatedStart } : {}),
          }),
        },
        { waits: true, deadlineMs: 25_000 },
      );
    const first = startAt(stopping);
    first.catch(() => undefined);
    await idOf(workflow);
    const begun = Date.now();
    await stopping.drain();
    await expect(first).rejects.toMatchObject({
      reason: 'REPLICA_STOPPING',
      kind: 'unavailable',
      details: { executionId },
    });
    expect(Date.now() - begun).toBeLessThan(10_000);
    const second = startAt(other, true);
    await claim(replica, executionId);
    await replica.runner.respond({ executionId, fence: 1, response: answerOf('in the end') });
    expect((await second).started).toMatchObject({ executionId, existing: true, response: answerOf('in the end') });
  });

  it('each gets its own among many', async () => {
    const workflow = stack.workflows.add();
    const answering = Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        startWaiting(workflow, { wait: START_WAIT_RESPONSE, input: Buffer.from(JSON.stringify({ n })) }),
      ),
    );
    const find = () =>
      stack.database.collection<{ _id: string }>('executions').find({ workflowId: workflow.workflowId }).toArray();
    const ids = (
      await until('all are accepted', async () => {
        const all = await find();
        return all.length === 50 ? all : undefined;
      })
    ).map(({ _id }) => _id);
    const { executions } = await other.runner.claim({
      executionIds: ids,
      runnerId: 'r',
      claimId: 'many',
      knownVersionIds: [],
    });
    await other.runner.report({
      entries: executions.map(({ executionId, input }) =>
        reportOf(executionId, 1, { response: answerOf(input.toString()) }),
      ),
    });
    const answers = await answering;
    expect(answers.map(({ started }) => JSON.parse(started?.response?.body.toString() ?? '').n)).toEqual(
      Array.from({ length: 50 }, (_, n) => n),
    );
  });
});
