import { Unavailable } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { createInlineRuns, type InlinePorts } from './inline-runs';
import { createSideEffectingVersions } from './side-effecting-versions';
import type { OfferAnswers } from './in-memory-runs';
import type { ExecutionRecord } from '../state/execution';
import { newExecution, type NewExecution } from '../start/new-execution';
import { meets, operate, snapshotOf } from '../state/operate';
import type { ClaimWrites, InsertOutcome } from '../state/ports';
import { claimWrite, persistWrite, reportWrite } from '../state/run-writes';
import { judge } from '../state/write-outcome';
import { PLAIN_FACTS, PLAIN_RUN } from '../testing/plain-run';

const NOW = 1_700_000_000_000;
const HOLD = { ms: 60_000, isAwaited: true };
const stamp = { claimId: 'c', attempt: 0, runnerId: 'r', isolated: false, engineStateVersions: [1] };
const CLAIM: ClaimWrites = {
  claimId: 'c',
  attempt: 0,
  take: claimWrite(stamp, new Date(NOW), 30_000),
  takeInline: claimWrite(stamp, new Date(NOW), 3_000, true),
  renew: claimWrite(stamp, new Date(NOW), 30_000),
};
const END = reportWrite({ fence: 1, checkpoint: 0 }, {}, new Date(NOW), { ms: 1_000, isDefault: true });

const recordOf = (fields: Partial<NewExecution> = {}): ExecutionRecord =>
  newExecution({ ...PLAIN_RUN, ...fields }, NOW);

/** An in-memory store whose inserts may fail before or after they are applied, and inline runs over it. */
const setUp = (ports: Partial<InlinePorts> = {}) => {
  const stored = new Map<string, ExecutionRecord>();
  const offered: string[] = [];
  const ended: string[] = [];
  let refused: OfferAnswers['onRefused'] = () => undefined;
  let trouble: 'none' | 'before' | 'after' = 'none';
  let outcome: InsertOutcome = { kind: 'inserted' };
  const runs = createInlineRuns({
    insert: (record) => {
      if (trouble === 'before') return Promise.reject(new Unavailable('away'));
      if (outcome.kind === 'inserted' && outcome.isRepeated !== true) stored.set(record._id, record);
      return trouble === 'after' ? Promise.reject(new Unavailable('the answer is lost')) : Promise.resolve(outcome);
    },
    apply: (id, write) => {
      const found = stored.get(id);
      if (found !== undefined && meets(found, write)) {
        stored.set(id, operate(found, write));
        return Promise.resolve({ outcome: 'applied' });
      }
      return Promise.resolve({ outcome: judge(write, found && snapshotOf(found), '') });
    },
    claim: () => Promise.resolve([]),
    openOffers: ({ onRefused }) => {
      refused = onRefused;
      return { isOpen: () => true, send: (id) => offered.push(id) };
    },
    newBatchId: uuidv7,
    onAwaited: () => undefined,
    sideEffecting: createSideEffectingVersions(),
    onEnded: (id) => ended.push(id),
    clock: () => NOW,
    ...ports,
  });
  return {
    runs,
    refuse: refused,
    stored,
    offered,
    ended,
    fail: (when: typeof trouble) => {
      trouble = when;
    },
    answer: (next: InsertOutcome) => {
      outcome = next;
    },
    /** Begins a run and claims it. */
    hold: async () => {
      const record = recordOf();
      const begun = runs.begin(record, HOLD);
      begun.catch(() => undefined);
      const [claimed] = await runs.claim([record._id], CLAIM);
      return { id: record._id, begun, claimed };
    },
  };
};

describe('inline runs', () => {
  it('stay in memory while they are claimed, and are stored by the write that ends them', async () => {
    const { hold, runs, stored } = setUp();
    const { id, begun, claimed } = await hold();
    expect([claimed?.fence, claimed?.state, stored.size]).toEqual([1, 'running', 0]);
    expect(await runs.apply(id, END)).toEqual({ outcome: 'applied' });
    expect(stored.get(id)).toMatchObject({ state: 'success', fence: 1 });
    expect((await begun).record).toEqual(stored.get(id));
  });

  it('fail their start when the store is unavailable, and later writes are fenced', async () => {
    const { hold, runs, fail } = setUp();
    const { id, begun } = await hold();
    fail('before');
    await expect(runs.apply(id, persistWrite(1))).rejects.toThrow('away');
    await expect(begun).rejects.toThrow('away');
    fail('none');
    expect((await runs.apply(id, persistWrite(1))).outcome).toBe('fenced');
  });

  it('are found stored if only the response of the insert was lost: a repeated write is applied', async () => {
    const { hold, runs, fail } = setUp();
    const { id, begun } = await hold();
    fail('after');
    await expect(runs.apply(id, persistWrite(1))).rejects.toThrow('lost');
    await expect(begun).rejects.toThrow('lost');
    expect((await runs.apply(id, persistWrite(1))).outcome).toBe('applied');
    expect((await runs.apply(id, END)).outcome).toBe('applied');
    expect((await runs.apply(id, END)).outcome).toBe('duplicate');
  });

  it.each<[string, InsertOutcome]>([
    ['another run has the key', { kind: 'known', executionId: 'x', requestHash: '' }],
    ['another replica has stored the same start', { kind: 'inserted', isRepeated: true }],
  ])('are fenced if %s', async (_, outcome) => {
    const { hold, runs, answer } = setUp();
    const { id, begun } = await hold();
    answer(outcome);
    expect((await runs.apply(id, persistWrite(1))).outcome).toBe('fenced');
    expect(await begun).toEqual(outcome);
  });

  it('delay a concurrent write until they are stored, and apply it to the stored record', async () => {
    const { hold, runs, stored } = setUp({
      insert: async (record) => {
        await new Promise(setImmediate);
        stored.set(record._id, record);
        return { kind: 'inserted' };
      },
    });
    const { id } = await hold();
    const [first, second] = await Promise.all([runs.apply(id, persistWrite(1)), runs.apply(id, END)]);
    expect([first.outcome, second.outcome, stored.get(id)?.state]).toEqual(['applied', 'applied', 'success']);
  });

  it('are offered once more and stored as queued when all runners decline, but continue if claimed', async () => {
    const { hold, runs, refuse, stored, offered } = setUp();
    const record = recordOf();
    const begun = runs.begin(record, HOLD);
    refuse([record._id]);
    expect(offered.filter((id) => id === record._id)).toHaveLength(2);
    refuse([record._id]);
    await begun;
    expect(stored.get(record._id)).toMatchObject({ state: 'queued', fence: 0 });
    const { id } = await hold();
    refuse([id]);
    refuse([id]);
    expect([stored.has(id), offered.filter((one) => one === id)]).toEqual([false, [id]]);
    await runs.drain();
    expect(stored.get(id)).toMatchObject({ state: 'running', fence: 1 });
  });

  it('are stored when their time is over', async () => {
    const { runs, stored } = setUp();
    const record = recordOf();
    expect((await runs.begin(record, { ...HOLD, ms: 1 })).kind).toBe('inserted');
    expect(stored.get(record._id)?.state).toBe('queued');
  });

  it.each<[string, Partial<NewExecution>, Partial<InlinePorts>]>([
    ['NATS is away', {}, { openOffers: () => ({ isOpen: () => false, send: () => undefined }) }],
    ['its input lies in a chunk', { input: { chunk: '0.x', size: 1 } }, {}],
    [
      'it has a concurrency key',
      { facts: { ...PLAIN_FACTS, concurrency: { key: '', limit: 1, whenFull: 'queue' } } },
      {},
    ],
    ['it excludes others', { mutexKey: 'k' }, {}],
    ['it is a scheduled one', { mode: 'trigger' }, {}],
    ['it has a parent', { parent: { executionId: 'p', depth: 1, rootId: 'p' } }, {}],
    ['its time is over too soon', { facts: { ...PLAIN_FACTS, timeoutMs: 500 } }, {}],
  ])('are not used if %s: such a run is stored before it is offered', async (_, fields, ports) => {
    const { runs, stored, offered } = setUp(ports);
    const record = recordOf(fields);
    await runs.begin(record, HOLD);
    expect([stored.has(record._id), offered]).toEqual([true, []]);
  });

  it('are limited to 300 per replica; further ones are stored first', async () => {
    const { runs, stored, offered } = setUp();
    const begun = Array.from({ length: 301 }, () => runs.begin(recordOf(), HOLD));
    await begun.at(-1);
    expect([stored.size, offered.length]).toEqual([1, 300]);
    await runs.drain();
    await Promise.all(begun);
    expect(stored.size).toBe(301);
  });

  it('are disabled once the replica stops: later starts are stored and not offered', async () => {
    const { runs, stored, offered } = setUp();
    await runs.drain();
    const record = recordOf();
    expect((await runs.begin(record, HOLD)).kind).toBe('inserted');
    expect([stored.has(record._id), offered]).toEqual([true, []]);
  });

  it('share the outcome with a start that has the same idempotency key', async () => {
    const { runs, offered } = setUp();
    const record = recordOf({ idempotencyKey: 'k', requestHash: 'h' });
    const first = runs.begin(record, HOLD);
    const second = runs.begin(recordOf({ idempotencyKey: 'k', requestHash: 'other' }), HOLD);
    await runs.claim([record._id], CLAIM);
    await runs.apply(record._id, END);
    expect((await first).kind).toBe('inserted');
    expect(await second).toEqual({ kind: 'known', executionId: record._id, requestHash: 'h' });
    expect(offered).toEqual([record._id]);
    // Nothing is left of it: later callers are served by the store.
    const later = recordOf({ idempotencyKey: 'k', requestHash: 'h' });
    const third = runs.begin(later, HOLD);
    expect(offered).toEqual([record._id, later._id]);
    await runs.drain();
    expect((await third).kind).toBe('inserted');
  });

  it('go into the queue at the first declined offer if no caller waits for them', async () => {
    const { runs, refuse, stored, offered } = setUp();
    const record = recordOf();
    const begun = runs.begin(record, { ...HOLD, isAwaited: false });
    refuse([record._id]);
    await begun;
    expect([stored.get(record._id)?.state, offered]).toEqual(['queued', [record._id]]);
  });

  it('are stored with their claim once runs of their version had side effects, until one ends without', async () => {
    const { hold, runs, stored } = setUp();
    const stays = async (): Promise<string> => {
      const { id, claimed } = await hold();
      expect([stored.has(id), claimed?.actedFence]).toEqual([false, undefined]);
      return id;
    };
    for (let run = 0; run < 8; run += 1) await runs.apply(await stays(), persistWrite(1));
    for (let run = 1; run < 32; run += 1) {
      const { id, claimed } = await hold();
      expect(stored.get(id)).toEqual(claimed);
      expect(claimed).toMatchObject({ state: 'running', fence: 1, actedFence: 1, lease: { ms: 3_000 } });
      expect((await runs.apply(id, END)).outcome).toBe('applied');
    }
    await runs.apply(await stays(), END);
    await stays();
  });

  it('are not claimed if they cannot be stored with their claim, and their start fails', async () => {
    const { hold, runs, fail } = setUp({ sideEffecting: { expects: () => true, learn: () => undefined } });
    fail('before');
    const { id, begun, claimed } = await hold();
    expect(claimed).toBeUndefined();
    await expect(begun).rejects.toThrow('away');
    fail('none');
    expect((await runs.apply(id, END)).outcome).toBe('fenced');
  });

  it('are claimed if only the response to the insert with their claim was lost', async () => {
    const { hold, stored, fail } = setUp({
      sideEffecting: { expects: () => true, learn: () => undefined },
      claim: (ids) => Promise.resolve(ids.flatMap((id) => stored.get(id) ?? [])),
    });
    fail('after');
    const { begun, claimed } = await hold();
    await expect(begun).rejects.toThrow('lost');
    expect(claimed).toMatchObject({ claimId: 'c', actedFence: 1 });
  });

  it('notify the completion hooks only if one is due', async () => {
    const { runs, hold, ended } = setUp();
    const { id } = await hold();
    await runs.apply(id, END);
    expect(ended).toEqual([]);
    const facts = { ...PLAIN_FACTS, keeps: { success: false, error: true, manual: true } };
    const [unkept, found] = [recordOf({ facts }), recordOf({ facts, idempotencyKey: 'k' })];
    for (const record of [unkept, found]) {
      const begun = runs.begin(record, HOLD);
      await runs.claim([record._id], CLAIM);
      await runs.apply(record._id, END);
      await begun;
    }
    // A run that leaves nothing behind needs no deletion.
    expect(ended).toEqual([found._id]);
  });
});
