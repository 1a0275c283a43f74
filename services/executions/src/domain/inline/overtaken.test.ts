import { uuidv7 } from '@weft/service-kit/ids';
import { readInTurns } from '@weft/service-kit/json';
import { createMemoryStore } from '../../../test/model/memory-store';
import { republish } from '../../jobs/republish-unclaimed';
import { createWakeDue } from '../../jobs/wake-due';
import { createAwaitResponse } from '../wait/await-response';
import { createClaim } from '../claim/claim-executions';
import type { ExecutionRecord, StoredResponse } from '../state/execution';
import { STATUS_OF } from '../state/execution-state';
import { newExecution } from '../start/new-execution';
import { createResumeExecution } from '../wait/resume-execution';
import { PLAIN_RUN } from '../testing/plain-run';

const NOW = Date.parse('2026-03-01T10:00:00Z');
const clock = (): number => NOW;
const TOKEN_HASH = 'a'.repeat(64);

const waiting = (fields: Partial<ExecutionRecord>): ExecutionRecord => {
  const options = { ...PLAIN_RUN, workflowId: uuidv7(), versionId: uuidv7() };
  return { ...newExecution(options, NOW), state: 'waiting', status: STATUS_OF.waiting, ...fields };
};

/** A snapshot of a run may be outdated: the run may have continued, and wait for something else. */
describe('a run that continued meanwhile', () => {
  it('is not woken by a call for the previous wait, even with the same token', async () => {
    const store = createMemoryStore();
    const now = waiting({ generation: 4, wait: { tokenHash: TOKEN_HASH } });
    await store.insert(now);
    const published: string[] = [];
    const resume = createResumeExecution({
      findWait: () => Promise.resolve({ holder: { ...now, generation: 3 }, tokenHash: TOKEN_HASH }),
      apply: store.apply,
      publish: (id) => published.push(id),
      readJson: readInTurns,
      clock,
    });
    await expect(resume({ token: 't', items: Buffer.from('[]') })).rejects.toMatchObject({
      reason: 'EXECUTION_NOT_WAITING',
    });
    expect([(await store.read(now._id))?.state, published]).toEqual(['waiting', []]);
  });

  it('is not woken by the timer of the previous wait', async () => {
    const store = createMemoryStore();
    const [over, ahead] = [new Date(NOW - 1_000), new Date(NOW + 3_600_000)];
    const now = waiting({ generation: 4, wait: { checkAt: ahead, resumeAt: ahead } });
    await store.insert(now);
    const seen = { ...now, wait: { checkAt: over, resumeAt: over } };
    const published: string[] = [];
    const wakeDue = createWakeDue({
      findDue: { dueWaits: () => Promise.resolve([seen]) },
      share: { count: () => 1, isMine: () => true },
      apply: store.apply,
      wakeParent: () => Promise.resolve(),
      publish: (id) => published.push(id),
      clock,
    });
    await wakeDue();
    expect([(await store.read(now._id))?.state, published]).toEqual(['waiting', []]);
  });

  it('is not released by an abandoned attempt of its claim once a later one holds it', async () => {
    const store = createMemoryStore();
    const { wait: _, ...record } = waiting({ fence: 1, claimId: 'c' });
    const lease = { runnerId: 'r', until: new Date(NOW + 30_000), attempt: 1, alone: false };
    const now: ExecutionRecord = { ...record, state: 'running', status: STATUS_OF.running, lease };
    await store.insert(now);
    const claim = createClaim({
      claim: () => Promise.resolve([{ ...now, lease: { ...lease, attempt: 0 } }]),
      findHeldBack: () => Promise.resolve([]),
      publish: () => undefined,
      apply: store.apply,
      getVersion: () => Promise.resolve(undefined),
      clock,
      leaseMs: 30_000,
      retentionMs: 1,
    });
    const request = {
      executionIds: [now._id],
      runnerId: 'r',
      claimId: 'c',
      attempt: 0,
      isolated: false,
      engineStateVersions: [1],
    };
    await expect(claim({ ...request, knownVersionIds: [now.versionId], isGone: () => true })).rejects.toMatchObject({
      reason: 'REQUEST_TIMED_OUT',
    });
    expect(await store.read(now._id)).toMatchObject({ state: 'running', lease: { attempt: 1 } });
  });

  it('is republished by only one of several that found it unclaimed', async () => {
    const store = createMemoryStore();
    const { wait: _, ...record } = waiting({});
    const now: ExecutionRecord = { ...record, state: 'queued', status: STATUS_OF.queued };
    await store.insert(now);
    const published: string[] = [];
    const publish = (id: string): unknown => published.push(id);
    for (let replica = 0; replica < 2; replica += 1) await republish(now, NOW, { apply: store.apply, publish });
    expect(published).toEqual([now._id]);
  });

  it.each([
    [0, 'first'],
    [1, 'second'],
    [2, undefined],
  ])('returns to a caller %d responses behind: %s', async (behind, given) => {
    const answer = (text: string): StoredResponse => ({ statusCode: 200, headers: [], body: Buffer.from(text) });
    const record = waiting({ responseSeq: 5, response: answer('first'), lastResponse: answer('second') });
    const slot = { until: () => Promise.resolve({ isReached: true, record }), leave: () => undefined };
    const awaitResponse = createAwaitResponse({ reserve: () => slot }, () => Promise.resolve(record), {
      read: () => {
        throw new Error('The answer lies in no chunk.');
      },
    });
    const { response } = await awaitResponse(
      { goal: 'response', limitMs: 1, signal: new AbortController().signal },
      () => Promise.resolve({ executionId: record._id, existing: true, responseSeq: 5 - behind }),
    );
    expect(response?.body.toString()).toBe(given);
  });
});
