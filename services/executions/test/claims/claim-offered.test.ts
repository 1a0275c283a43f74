import { StartWait } from '@weft/proto/executions';
import { decodeOffer, encodeExecutionIds } from '@weft/proto/execution-queue';
import type { ClaimOfferedRequest } from '@weft/proto/offers';
import { WriteOutcome } from '@weft/proto/runner';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { claim, OWNER, reportOf, startOf, startTestStack, type Replica, type TestStack } from '../support/stack';

const { WRITE_OUTCOME_APPLIED } = WriteOutcome;

describe('a claim that waits for offers', () => {
  let stack: TestStack;
  let replica: Replica;
  /** Ids that were offered by messages. */
  const messages: string[] = [];
  beforeAll(async () => {
    stack = await startTestStack(1);
    replica = await stack.startReplica({ HOLD_AWAITED_MS: '60000' });
    stack.nats.subscribe(stack.queue.offersSubject, {
      queue: stack.queue.consumer,
      callback: (_, message) => {
        messages.push(...(decodeOffer(message.data)?.ids ?? []));
        message.respond(encodeExecutionIds([]));
      },
    });
    await stack.nats.flush();
  });
  beforeEach(() => {
    messages.length = 0;
  });
  afterAll(() => stack.stop());

  const wait = (fields: Partial<ClaimOfferedRequest> = {}, at = replica, deadlineMs = 10_000) =>
    at.runner.claimOffered(
      {
        runnerId: 'runner-1',
        claimId: uuidv7(),
        attempt: 0,
        maxExecutions: 10,
        waitMs: 2_000,
        knownVersionIds: [],
        engineStateVersions: { readable: [1] },
        ...fields,
      },
      { deadlineMs },
    );
  const begin = (at = replica) => {
    const workflow = stack.workflows.add();
    return at.executions.startExecution(
      { start: startOf(workflow, { wait: StartWait.START_WAIT_END, waitMs: 30_000 }) },
      { principal: OWNER, waits: true, deadlineMs: 40_000 },
    );
  };
  const report = async (id: string, at = replica) =>
    (await at.runner.report({ entries: [reportOf(id, 1)] })).outcomes[0];
  /** A claim that has reached the replica. */
  const waiting = async (...params: Parameters<typeof wait>) => {
    const answer = wait(...params);
    answer.catch(() => undefined);
    // Calls on one stream arrive in order.
    await (params[1] ?? replica).runner.heartbeat({ runnerId: 'runner-1', held: [] });
    return { answer };
  };

  it('gets an accepted execution with its definition, without a message', async () => {
    const { answer } = await waiting();
    const started = begin();
    const { claim: won } = await answer;
    expect(won).toMatchObject({ executions: [{ fence: 1 }], versions: [{}], firstLeaseMs: 3_000 });
    const id = won?.executions[0]?.executionId ?? '';
    expect(await stack.stored(id)).toBeUndefined();
    expect(await report(id)).toBe(WRITE_OUTCOME_APPLIED);
    expect((await started).started).toMatchObject({ executionId: id, ended: { id } });
    expect(messages).toEqual([]);
  });

  it('returns the claimed executions to the next attempt if its response was lost, and nothing else', async () => {
    const claimId = uuidv7();
    const { answer } = await waiting({ claimId });
    const started = begin();
    const id = (await answer).claim?.executions[0]?.executionId ?? '';
    expect((await wait({ claimId, attempt: 1 })).claim?.executions).toMatchObject([{ executionId: id, fence: 1 }]);
    expect((await wait({ attempt: 1 })).claim).toBeUndefined();
    expect(await report(id)).toBe(WRITE_OUTCOME_APPLIED);
    expect((await started).started).toMatchObject({ executionId: id, ended: { id } });
  });

  it('has one response, and later offers go to another waiting claim', async () => {
    const answers = [await waiting(), await waiting({ runnerId: 'runner-2' })];
    const started: Promise<unknown>[] = [];
    const won: string[] = [];
    for (const { answer } of answers) {
      started.push(begin());
      const executions = (await answer).claim?.executions ?? [];
      expect(executions).toHaveLength(1);
      won.push(...executions.map(({ executionId }) => executionId));
    }
    await Promise.all(won.map((executionId) => report(executionId)));
    await Promise.all(started);
    expect(new Set(won).size).toBe(2);
  });

  it('leaves executions beyond its limit to a message, and later ones to the next claim', async () => {
    const { answer } = await waiting({ maxExecutions: 1 });
    const started = [begin(), begin()];
    const [won] = (await answer).claim?.executions ?? [];
    const other = await until('a message offers the other one', () => Promise.resolve(messages[0]));
    expect(other).not.toBe(won?.executionId);
    await claim(replica, other);
    await Promise.all([won?.executionId ?? '', other].map((id) => report(id)));
    await Promise.all(started);
  });

  it('is empty after its time, and reports how long it waited', async () => {
    const { claim: won, waitedMs } = await wait({ waitMs: 50 });
    expect(won).toBeUndefined();
    expect(waitedMs).toBeGreaterThanOrEqual(49);
  });

  it('claims nothing for a disconnected runner: a message offers the execution to another one', async () => {
    const { answer } = await waiting({}, replica, 300);
    // The runner leaves at its deadline: the last response arrives just before or is dropped.
    expect(await answer.catch(({ kind }: { kind: unknown }) => ({ kind, claim: undefined }))).toMatchObject({
      claim: undefined,
    });
    const started = begin();
    const id = await until('a message offers it', () => Promise.resolve(messages[0]));
    await claim(replica, id, 'runner-2');
    expect(await report(id)).toBe(WRITE_OUTCOME_APPLIED);
    await started;
  });

  it('ends when the replica stops, which waits for no runner', async () => {
    const leaving = await stack.startReplica();
    const { answer } = await waiting({}, leaving);
    await leaving.stop();
    expect((await answer).claim).toBeUndefined();
  });

  it.each([
    ['maxExecutions', { maxExecutions: 0 }],
    ['maxExecutions', { maxExecutions: 65 }],
    ['waitMs', { waitMs: 2_001 }],
    ['runnerId', { runnerId: '' }],
    ['claimId', { claimId: 'x'.repeat(101) }],
    ['knownVersionIds', { knownVersionIds: Array.from({ length: 201 }, () => 'v') }],
  ])('is refused with a bad %s', async (field, fields) => {
    await expect(wait(fields)).rejects.toMatchObject({ kind: 'invalid', fields: [{ field }] });
  });
});
