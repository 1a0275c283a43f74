import { migrate } from '@weft/service-kit/mongo';
import fc from 'fast-check';
import mongoose, { type Connection } from 'mongoose';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import type { TransitionName } from '../src/domain/state/execution-state';
import { SCHEMA } from '../src/store/indexes';
import { openStore } from '../src/store/open-store';
import { ALL_TRANSITIONS, anyHistory, live } from './model/histories';
import type { Subject } from './model/memory-store';

describe('the state table in the real store', () => {
  const name = uniqueName('states');
  let connection: Connection;
  let subject: Subject;
  beforeAll(async () => {
    connection = await mongoose.createConnection(testMongodbUri(), { dbName: name }).asPromise();
    await migrate(connection, SCHEMA);
    const store = openStore(connection, Date.now);
    subject = {
      ...store,
      insert: async (record) => {
        await store.insert(record);
      },
    };
  });
  afterAll(async () => {
    await connection.close();
    await dropDatabase(name);
  });

  it('keeps its invariants through any history, and every row of it is used', async () => {
    const seen = new Set<TransitionName>();
    // Many concurrent ones, so that their writes share batches.
    const together = fc.array(anyHistory, { minLength: 40, maxLength: 40 });
    const property = fc.asyncProperty(together, async (histories) => {
      const lives = await Promise.allSettled(histories.map((history) => live(history, subject, seen)));
      expect(
        lives.flatMap((life, index) => (life.status === 'rejected' ? [[String(life.reason), histories[index]]] : [])),
      ).toEqual([]);
    });
    await fc.assert(property, { numRuns: 10, seed: 5, endOnFailure: true });
    expect([...seen].sort()).toEqual([...ALL_TRANSITIONS].sort());
  });
});
