import { migrate } from '@weft/service-kit/mongo';
import fc from 'fast-check';
import mongoose, { type Connection } from 'mongoose';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import type { ExecutionRecord } from '../src/domain/state/execution';
import type { TransitionName } from '../src/domain/state/execution-state';
import { meets, operate, snapshotOf } from '../src/domain/state/operate';
import { judge } from '../src/domain/state/write-outcome';
import type { Write } from '../src/domain/state/write';
import { SCHEMA } from '../src/store/indexes';
import { openStore } from '../src/store/open-store';
import { anyHistory, live } from './model/histories';
import type { Subject } from './model/memory-store';

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

describe('a write that is interpreted in memory', () => {
  const name = uniqueName('operate');
  let connection: Connection;
  beforeAll(async () => {
    connection = await mongoose.createConnection(testMongodbUri(), { dbName: name }).asPromise();
  });
  afterAll(async () => {
    await connection.close();
    await dropDatabase(name);
  });

  it('has the same result for every record as in the store, or is refused for the same reason', async () => {
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
    const together = fc.array(anyHistory, { minLength: 40, maxLength: 40 });
    const property = fc.asyncProperty(together, async (histories) => {
      const lives = await Promise.allSettled(histories.map((history) => live(history, subject, seen)));
      expect(
        lives.flatMap((life, index) => (life.status === 'rejected' ? [[String(life.reason), histories[index]]] : [])),
      ).toEqual([]);
    });
    await fc.assert(property, { numRuns: 1, seed: 11, endOnFailure: true });
    expect([...written]).toEqual(expect.arrayContaining(OF_HELD));
  }, 120_000);
});
