import { migrate } from '@weft/service-kit/mongo';
import fc from 'fast-check';
import type { Connection } from 'mongoose';
import type { ExecutionRecord } from '../../src/domain/state/execution';
import type { TransitionName } from '../../src/domain/state/execution-state';
import { meets, operate, snapshotOf } from '../../src/domain/state/operate';
import { judge } from '../../src/domain/state/write-outcome';
import type { Write } from '../../src/domain/state/write';
import { SCHEMA } from '../../src/store/indexes';
import { openStore } from '../../src/store/open-store';
import { anyHistory, live } from './histories';
import type { Subject } from './memory-store';

/**
 * Tests that every store of executions passes: a real server, and the one in memory of the simulator.
 */

const withoutBatch = ({ batchId: _, ...record }: ExecutionRecord): Omit<ExecutionRecord, 'batchId'> => record;

/** Writes to an execution that is not stored yet. */
const OF_HELD: readonly TransitionName[] = [
  'claim',
  'renewClaim',
  'unclaim',
  'heartbeat',
  'persist',
  'checkpoint',
  'upload',
  'respond',
  'succeed',
  'fail',
  'wait',
  'release',
];

/** Runs random histories together, so that their writes share batches, and checks every invariant of the model. */
const liveAll = (
  subject: Subject,
  seen: Set<TransitionName>,
  runs: { numRuns: number; seed: number },
): Promise<void> => {
  const together = fc.array(anyHistory, { minLength: 40, maxLength: 40 });
  const property = fc.asyncProperty(together, async (histories) => {
    const lives = await Promise.allSettled(histories.map((history) => live(history, subject, seen)));
    expect(
      lives.flatMap((life, index) => (life.status === 'rejected' ? [[String(life.reason), histories[index]]] : [])),
    ).toEqual([]);
  });
  return fc.assert(property, { ...runs, endOnFailure: true });
};

/** The invariants of the state table hold through any history. @returns the rows that were used */
export const keepsInvariants = async (
  connection: Connection,
  numRuns: number,
): Promise<ReadonlySet<TransitionName>> => {
  await migrate(connection, SCHEMA);
  const store = openStore(connection, Date.now);
  const subject: Subject = {
    ...store,
    insert: async (record) => {
      await store.insert(record);
    },
  };
  const seen = new Set<TransitionName>();
  await liveAll(subject, seen, { numRuns, seed: 5 });
  return seen;
};

/** A write has the same result for every record as its interpretation, or is refused for the same reason. */
export const agreesWithInterpretation = async (connection: Connection): Promise<void> => {
  await migrate(connection, SCHEMA);
  const store = openStore(connection, Date.now);
  const seen = new Set<TransitionName>();
  const written = new Set<TransitionName>();
  const read = async (id: string): Promise<ExecutionRecord> => {
    const record = await store.read(id);
    if (record === undefined) throw new Error('The execution was deleted.');
    return record;
  };
  /** Compares one write. @returns whether its conditions were met */
  const compare = async (before: ExecutionRecord, write: Write): Promise<boolean> => {
    const expected = meets(before, write) ? operate(before, write) : before;
    expect(withoutBatch(await read(before._id))).toEqual(withoutBatch(expected));
    if (expected !== before) written.add(write.transition);
    return expected !== before;
  };
  const subject: Subject = {
    ...store,
    insert: async (record) => {
      await store.insert(record);
      expect(withoutBatch(await read(record._id))).toEqual(record);
    },
    apply: async (id, write) => {
      const before = await read(id);
      const result = await store.apply(id, write);
      const isApplied = await compare(before, write);
      expect(result.outcome).toBe(isApplied ? 'applied' : judge(write, snapshotOf(before), ''));
      return result;
    },
    claim: async (ids, claim) => {
      const [id = ''] = ids;
      const before = await read(id);
      const won = await store.claim(ids, claim);
      await compare(before, meets(before, claim.take) ? claim.take : claim.renew);
      return won;
    },
  };
  await liveAll(subject, seen, { numRuns: 1, seed: 11 });
  expect([...written]).toEqual(expect.arrayContaining(OF_HELD));
};
