import { ExecutionMode, StartWait, type ExecutionStart } from '@weft/proto/executions';
import { decodeOffer, encodeExecutionIds, type ExecutionOffer } from '@weft/proto/execution-queue';
import { EndState, WriteOutcome, type CheckpointEntry, type ReportEntry } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import { registry } from '@weft/service-kit/metrics';
import { startProxy, testMongodbUri, until } from '@weft/service-kit/testing';
import {
  claim,
  nodeRun,
  OWNER,
  reportOf,
  startOf,
  startTestStack,
  webhookStartOf,
  type FakeWorkflow,
  type Replica,
  type TestStack,
} from '../support/stack';

const stepOf = (executionId: string, index: number): CheckpointEntry => ({
  executionId,
  fence: 1,
  checkpoint: index + 1,
  nodeRuns: [nodeRun(`Step ${index}`, index)],
  engineState: Buffer.from('state'),
});

const { WRITE_OUTCOME_APPLIED, WRITE_OUTCOME_DUPLICATE, WRITE_OUTCOME_FENCED } = WriteOutcome;

/** Calls of this process on streams. */
const tunnelled = async (): Promise<number> => {
  const metric = await registry.getSingleMetric('weft_tunnelled_calls_total')?.get();
  return metric?.values.reduce((sum, { value }) => sum + value, 0) ?? 0;
};

describe('an inline run whose calls are made on a stream', () => {
  let stack: TestStack;
  let replica: Replica;
  let other: Replica;
  let before = 0;
  /** Offers with a response, by execution. The runner of the test accepts all of them. */
  const offers = new Map<string, ExecutionOffer>();
  beforeAll(async () => {
    stack = await startTestStack(1);
    before = await tunnelled();
    replica = await stack.startReplica({ HOLD_AWAITED_MS: '60000' });
    other = await stack.startReplica({ HOLD_AWAITED_MS: '60000' });
    stack.nats.subscribe(stack.queue.offersSubject, {
      queue: stack.queue.consumer,
      callback: (_, message) => {
        const offer = decodeOffer(message.data);
        for (const id of offer?.ids ?? []) offers.set(id, offer ?? { replica: '', isAwaited: false, ids: [] });
        message.respond(encodeExecutionIds([]));
      },
    });
    await stack.nats.flush();
  });
  beforeEach(() => offers.clear());
  afterAll(() => stack.stop());

  const begin = (workflow: FakeWorkflow, fields: Partial<ExecutionStart> = {}, at = replica) =>
    at.executions.startExecution(
      { start: startOf(workflow, { wait: StartWait.START_WAIT_END, waitMs: 30_000, ...fields }) },
      { principal: OWNER, waits: true, deadlineMs: 40_000 },
    );
  const offered = (): Promise<string> => until('a run is offered', async () => [...offers.keys()].at(-1));
  /** Starts an execution, and claims it at the replica that offered it. */
  const hold = async (
    fields: Partial<ExecutionStart> = {},
    at = replica,
    version: Parameters<typeof stack.workflows.add>[0] = {},
  ) => {
    const workflow = stack.workflows.add(version);
    const answering = begin(workflow, fields, at).then(({ started }) => started);
    answering.catch(() => undefined);
    const id = await offered();
    offers.clear();
    return { id, workflow, answering, claimed: await claim(at, id) };
  };
  const report = async (at: Replica, id: string, fence = 1) =>
    (await at.runner.report({ entries: [reportOf(id, fence, { nodeRuns: [nodeRun('N', 0)] })] })).outcomes[0];
  const persist = async (at: Replica, executionId: string, fence = 1) =>
    (await at.runner.persist({ entries: [{ executionId, fence }] })).outcomes[0];
  it('is not stored before its first observable effect, and then by one insert with its end', async () => {
    const { id, answering, claimed } = await hold();
    expect(offers.size).toBe(0);
    expect(claimed.fence).toBe(1);
    expect(await stack.stored(id)).toBeUndefined();
    expect(await report(replica, id)).toBe(WRITE_OUTCOME_APPLIED);
    expect(await stack.stored(id)).toMatchObject({ state: 'success', fence: 1, nodeRunCount: 1 });
    expect(await answering).toMatchObject({ executionId: id, existing: false, ended: { id } });
  });

  /** Eight runs with side effects, after which the next one is expected to have some. */
  const haveSideEffects = async (workflow: FakeWorkflow): Promise<void> => {
    for (let run = 0; run < 8; run += 1) {
      const answering = begin(workflow);
      const id = await offered();
      offers.clear();
      expect((await claim(replica, id)).stored).toBeUndefined();
      await persist(replica, id);
      await report(other, id);
      await answering;
    }
  };

  it('is stored with its claim after eight runs of its version had side effects, and its runner is told', async () => {
    const workflow = stack.workflows.add();
    await haveSideEffects(workflow);
    const answering = begin(workflow);
    const id = await offered();
    offers.clear();
    expect((await claim(replica, id)).stored).toBe(true);
    expect(await stack.stored(id)).toMatchObject({ state: 'running', fence: 1, actedFence: 1, lease: { ms: 3_000 } });
    expect(await report(other, id)).toBe(WRITE_OUTCOME_APPLIED);
    expect((await answering).started?.ended).toMatchObject({ id });
  });

  it('is not claimed if it cannot be stored with its claim, while others of the same claim are', async () => {
    const workflow = stack.workflows.add();
    await haveSideEffects(workflow);
    const idempotencyKey = uuidv7();
    const starts = [{}, { idempotencyKey }, {}].map((fields) => begin(workflow, fields));
    const ids = await until('all are offered', async () => offers.size === 3 && [...offers.keys()]);
    offers.clear();
    const first = begin(workflow, { idempotencyKey }, other);
    const firstId = await offered();
    offers.clear();
    await claim(other, firstId);
    await persist(other, firstId);
    const { executions } = await replica.runner.claim({
      executionIds: ids,
      runnerId: 'runner-1',
      claimId: uuidv7(),
      knownVersionIds: [],
    });
    const claimedIds = executions.map(({ executionId }) => executionId);
    expect(executions.map(({ stored }) => stored)).toEqual([true, true]);
    for (const id of [firstId, ...claimedIds]) expect(await report(other, id)).toBe(WRITE_OUTCOME_APPLIED);
    const answered = (await Promise.all([first, ...starts])).map(({ started }) => started?.executionId ?? '');
    expect(new Set(answered)).toEqual(new Set([firstId, ...claimedIds]));
    expect(answered[2]).toBe(firstId);
  });

  it('gets its response from that insert even if no caller waits for its result', async () => {
    const answering = begin(stack.workflows.add(), { wait: StartWait.START_WAIT_UNSPECIFIED, waitMs: 0 });
    const id = await offered();
    expect(offers.get(id)?.isAwaited).toBe(false);
    let isAnswered = false;
    void answering.then(() => (isAnswered = true));
    await claim(replica, id);
    expect([await stack.stored(id), isAnswered]).toEqual([undefined, false]);
    expect(await report(replica, id)).toBe(WRITE_OUTCOME_APPLIED);
    expect((await answering).started).toMatchObject({ executionId: id, existing: false });
    expect(await stack.stored(id)).toMatchObject({ state: 'success', fence: 1 });
  });

  it('is offered with the address at which it is claimed', async () => {
    const workflow = stack.workflows.add();
    const answering = begin(workflow);
    const id = await offered();
    const expected = { replica: `127.0.0.1:${replica.port}`, isAwaited: true, ids: [id] };
    expect(offers.get(id)).toEqual(expected);
    await claim(replica, id);
    await report(replica, id);
    await answering;
  });

  it('is durable when its barrier is passed, and its runner may repeat that', async () => {
    const { id, answering } = await hold();
    expect(await persist(replica, id)).toBe(WRITE_OUTCOME_APPLIED);
    expect(await stack.stored(id)).toMatchObject({ state: 'running', fence: 1, actedFence: 1, lease: { ms: 3_000 } });
    expect(await persist(other, id)).toBe(WRITE_OUTCOME_APPLIED);
    expect(await report(other, id)).toBe(WRITE_OUTCOME_APPLIED);
    expect((await answering)?.executionId).toBe(id);
  });

  const shown = async (executionId: string) =>
    (await replica.executions.getExecution({ executionId }, { principal: OWNER })).execution;
  const answered = { statusCode: 200, headers: [], body: Buffer.from('hi') };
  const end = async (at: Replica, id: string, fields: Partial<ReportEntry>) =>
    (await at.runner.report({ entries: [reportOf(id, 1, fields)] })).outcomes;
  /** Changes the stored record in a way that no service does, to detect a read. */
  const mark = (_id: string) =>
    stack.database.collection<{ _id: string }>('executions').updateOne({ _id }, { $set: { mode: 'error' } });

  it('responds to its caller, when it was stored before its end, with the resulting record, unread', async () => {
    const { id, answering } = await hold({ wait: StartWait.START_WAIT_RESPONSE });
    await persist(replica, id);
    await replica.runner.checkpoint({ entries: [stepOf(id, 0)] });
    await mark(id);
    const fields = { checkpoint: 1, nodeRuns: [nodeRun('N', 1)], lastNode: 'N', response: answered };
    expect(await end(replica, id, fields)).toEqual([WRITE_OUTCOME_APPLIED]);
    const started = await answering;
    expect((await shown(id))?.mode).toBe(ExecutionMode.EXECUTION_MODE_ERROR);
    const manual = { mode: ExecutionMode.EXECUTION_MODE_MANUAL, usePinData: true };
    expect(started?.ended).toEqual({ ...(await shown(id)), ...manual });
    expect(started?.response).toEqual(answered);
  });

  it('responds to its caller with the stored record if another replica has also written to it', async () => {
    const { id, answering } = await hold({ wait: StartWait.START_WAIT_END });
    await persist(replica, id);
    await other.runner.checkpoint({ entries: [stepOf(id, 0)] });
    await other.runner.respond({ executionId: id, fence: 1, response: answered });
    expect(await end(replica, id, { checkpoint: 1, nodeRuns: [nodeRun('N', 1)] })).toEqual([WRITE_OUTCOME_APPLIED]);
    const started = await answering;
    expect(started?.ended).toEqual(await shown(id));
    expect(started?.response).toEqual(answered);
  });

  it('is stored with its response, before the caller gets it', async () => {
    const { id, answering } = await hold({ wait: StartWait.START_WAIT_RESPONSE });
    await replica.runner.respond({
      executionId: id,
      fence: 1,
      response: { statusCode: 201, headers: [], body: Buffer.from('hi') },
    });
    expect(await stack.stored(id)).toMatchObject({ state: 'running', response: { statusCode: 201 } });
    expect((await answering)?.response).toMatchObject({ statusCode: 201, body: Buffer.from('hi') });
    expect(await report(other, id)).toBe(WRITE_OUTCOME_APPLIED);
  });

  const KEEPS_NO_SUCCESS = { settings: { saveDataSuccessExecution: 'none' } };
  /** Calls a webhook, and claims the run. */
  const hook = async (version: Parameters<typeof stack.workflows.add>[0], fields: Partial<ExecutionStart> = {}) => {
    const start = webhookStartOf(stack.workflows.add(version), {
      wait: StartWait.START_WAIT_END,
      waitMs: 30_000,
      ...fields,
    });
    const answering = replica.executions.startExecution({ start }, { waits: true, deadlineMs: 40_000 });
    const id = await offered();
    offers.clear();
    await claim(replica, id);
    return { id, answering };
  };
  const response = { statusCode: 200, headers: [], body: Buffer.from('hi') };

  it('is never stored if its workflow keeps no successes, it has no key, and no caller has read it', async () => {
    const { id, answering } = await hook(KEEPS_NO_SUCCESS);
    const entries = [reportOf(id, 1, { response, nodeRuns: [nodeRun('N', 0)] })];
    expect((await replica.runner.report({ entries })).outcomes).toEqual([WRITE_OUTCOME_APPLIED]);
    expect(await answering).toMatchObject({ started: { executionId: id, ended: { id }, response } });
    expect(await stack.stored(id)).toBeUndefined();
    expect(await persist(other, id)).toBe(WRITE_OUTCOME_FENCED);
  });

  it('is never stored if the gateway asked for that, unless it fails', async () => {
    const { id, answering } = await hook({}, { expiresOnSuccess: true });
    await replica.runner.report({ entries: [reportOf(id, 1, { response, nodeRuns: [nodeRun('N', 0)] })] });
    expect(await answering).toMatchObject({ started: { executionId: id, response } });
    expect(await stack.stored(id)).toBeUndefined();
    const failed = await hook({}, { expiresOnSuccess: true });
    await replica.runner.report({ entries: [reportOf(failed.id, 1, { endState: EndState.END_STATE_ERROR })] });
    await failed.answering;
    expect(await stack.stored(failed.id)).toMatchObject({ state: 'error' });
  });

  it.each([
    ['it has an idempotency key', {}, { idempotencyKey: 'unkept' }],
    ['it fails', { endState: EndState.END_STATE_ERROR }, {}],
    ['its answer is too large for its record', { response: { ...response, body: Buffer.alloc(100_000, 'x') } }, {}],
    ['a record of a node is', { nodeRuns: [nodeRun('N', 0, { text: 'x'.repeat(2_000_000) })] }, {}],
  ])('is kept for an hour although its workflow keeps no successes if %s', async (_, end, fields) => {
    const { id, answering } = await hook(
      { settings: { ...KEEPS_NO_SUCCESS.settings, saveDataErrorExecution: 'none' } },
      fields,
    );
    const entries = [reportOf(id, 1, end)];
    expect((await replica.runner.report({ entries })).outcomes).toEqual([WRITE_OUTCOME_APPLIED]);
    await answering;
    expect((await stack.completed(id)).expireAt?.getTime()).toBeLessThan(Date.now() + 2 * 3_600_000);
  });

  it('is stored if it had side effects, even if its workflow keeps no successes', async () => {
    const { id, answering } = await hook(KEEPS_NO_SUCCESS);
    await persist(replica, id);
    expect(await report(replica, id)).toBe(WRITE_OUTCOME_APPLIED);
    await answering;
    expect(await stack.stored(id)).toMatchObject({ state: 'success' });
  });

  it('is stored as it is when it is read, and continues', async () => {
    const { id, answering } = await hold();
    await replica.executions.getExecution({ executionId: id }, { principal: OWNER });
    expect(await stack.stored(id)).toMatchObject({ state: 'running', fence: 1 });
    expect(await report(replica, id)).toBe(WRITE_OUTCOME_APPLIED);
    await answering;
  });

  it('returns to the queue without a crash when its first lease expires', async () => {
    const short = await stack.startReplica({ HOLD_AWAITED_MS: '60000', LEASE_MS: '1000' });
    const { id, answering } = await hold({}, short);
    await persist(short, id);
    await until('the run is taken away', async () => (await stack.stored(id))?.state === 'queued' || undefined);
    expect(await stack.stored(id)).toMatchObject({ crashes: 0, suspicion: 1, fence: 1 });
    expect(await persist(replica, id)).toBe(WRITE_OUTCOME_FENCED);
    // Its replica considers all runs dead after a second.
    const answered = answering.catch(() => undefined);
    await short.stop();
    await answered;
    expect((await claim(replica, id)).fence).toBe(2);
    expect(await report(replica, id, 2)).toBe(WRITE_OUTCOME_APPLIED);
  });

  it('is abandoned when its first lease expires and its workflow allows no second attempt', async () => {
    const short = await stack.startReplica({ HOLD_AWAITED_MS: '60000', LEASE_MS: '1000' });
    const { id } = await hold({}, short, { settings: { crashPolicy: 'fail' } });
    await persist(short, id);
    await until('the run has ended', async () => (await stack.stored(id))?.state === 'crashed' || undefined);
    await short.stop();
  });

  it('returns to the queue with its progress when its runner releases it', async () => {
    const { id, answering } = await hold();
    const { outcomes } = await replica.runner.release({
      entries: [{ executionId: id, fence: 1, checkpoint: 0, nodeRuns: [], engineState: Buffer.from('state') }],
    });
    expect(outcomes).toEqual([WRITE_OUTCOME_APPLIED]);
    expect(await stack.stored(id)).toMatchObject({ state: 'queued', fence: 1, checkpoint: 1 });
    expect(await report(replica, id)).toBe(WRITE_OUTCOME_FENCED);
    expect((await claim(other, id)).fence).toBe(2);
    await other.runner.report({ entries: [reportOf(id, 2, { checkpoint: 1 })] });
    await answering;
  });

  it('does not exist if the store is unavailable: its start fails, and its runner is fenced', async () => {
    const { hostname, port } = new URL(testMongodbUri());
    const proxy = await startProxy(hostname, Number(port));
    const cut = await stack.startReplica({
      HOLD_AWAITED_MS: '60000',
      MONGODB_URI: `mongodb://127.0.0.1:${proxy.port}`,
    });
    const { id, answering } = await hold({}, cut);
    proxy.cut();
    const failed = expect(answering).rejects.toMatchObject({
      kind: 'unavailable',
      details: { started: 'unknown', executionId: id },
    });
    expect(await persist(cut, id).catch(() => undefined)).not.toBe(WRITE_OUTCOME_APPLIED);
    await failed;
    proxy.restore();
    const outcome = () => persist(cut, id).catch(() => undefined);
    expect(await until('the store is found again', async () => (await outcome()) || undefined)).toBe(
      WRITE_OUTCOME_FENCED,
    );
    expect(await stack.stored(id)).toBeUndefined();
    await cut.stop();
    await proxy.close();
  });

  it('is unknown to every other replica: calls of its runner there are fenced, before any side effect', async () => {
    const { id, answering } = await hold();
    expect(await persist(other, id)).toBe(WRITE_OUTCOME_FENCED);
    expect(await report(other, id)).toBe(WRITE_OUTCOME_FENCED);
    expect(await stack.stored(id)).toBeUndefined();
    await report(replica, id);
    await answering;
  });

  it('cannot be claimed by two runners, nor written with another fence', async () => {
    const { id, answering } = await hold();
    await expect(claim(replica, id, 'runner-2')).rejects.toThrow('refused');
    expect(await persist(replica, id, 2)).toBe(WRITE_OUTCOME_FENCED);
    expect(await stack.stored(id)).toBeUndefined();
    await report(replica, id);
    expect(await report(replica, id)).toBe(WRITE_OUTCOME_DUPLICATE);
    await answering;
  });

  it('loses its idempotency key to the one that another replica stores first, before any side effect', async () => {
    const workflow = stack.workflows.add();
    const idempotencyKey = uuidv7();
    const first = begin(workflow, { idempotencyKey });
    const id = await offered();
    await claim(replica, id);
    offers.clear();
    const second = begin(workflow, { idempotencyKey }, other);
    const otherId = await offered();
    await claim(other, otherId);
    expect(await persist(other, otherId)).toBe(WRITE_OUTCOME_APPLIED);
    expect(await persist(replica, id)).toBe(WRITE_OUTCOME_FENCED);
    expect(await stack.stored(id)).toBeUndefined();
    await report(other, otherId);
    expect((await first).started).toMatchObject({ executionId: otherId, existing: true });
    expect((await second).started).toMatchObject({ executionId: otherId, existing: false });
  });

  it('fences a runner that claimed it at a stopped replica, once its start was repeated under its id', async () => {
    const executionId = uuidv7();
    const start = webhookStartOf(stack.workflows.add(), {
      executionId,
      wait: StartWait.START_WAIT_END,
      waitMs: 30_000,
    });
    const sendTo = (at: Replica, fields: Partial<ExecutionStart> = {}) =>
      at.executions.startExecution({ start: { ...start, ...fields } }, { waits: true, deadlineMs: 40_000 });
    const first = sendTo(replica);
    expect(await offered()).toBe(executionId);
    expect((await claim(replica, executionId)).fence).toBe(1);
    const second = sendTo(other, { repeatedStart: true });
    await until('it is stored', () => stack.stored(executionId));
    const { fence } = await claim(other, executionId, 'runner-2');
    expect(await persist(other, executionId, 1)).toBe(WRITE_OUTCOME_FENCED);
    expect(await report(other, executionId, 1)).toBe(WRITE_OUTCOME_FENCED);
    expect(await persist(replica, executionId, 1)).toBe(WRITE_OUTCOME_FENCED);
    expect(await report(other, executionId, fence)).toBe(WRITE_OUTCOME_APPLIED);
    expect((await first).started).toMatchObject({ executionId, existing: true });
    expect((await second).started).toMatchObject({ executionId, existing: false });
  });

  it('is stored when its replica stops, and continues', async () => {
    const leaving = await stack.startReplica({ HOLD_AWAITED_MS: '60000' });
    const { id } = await hold({}, leaving);
    await leaving.stop();
    expect(await stack.stored(id)).toMatchObject({ state: 'running', fence: 1 });
    expect(await report(other, id)).toBe(WRITE_OUTCOME_APPLIED);
  });

  it('has made its calls on the stream', async () => {
    expect(await tunnelled()).toBeGreaterThan(before + 50);
  });
});
