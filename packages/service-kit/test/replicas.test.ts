import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { joinReplicas, REPLICAS_COLLECTION, type Replicas } from '@weft/service-kit/replicas';
import { closeAfterEach, testLogger, testMongodbUri, uniqueName, until } from '@weft/service-kit/testing';

const IDS = Array.from({ length: 500 }, (_, n) => `row-${n}`);

describe('replicas on one database', () => {
  const later = closeAfterEach();
  let database: Database;
  beforeEach(async () => {
    database = await connectDatabase(testMongodbUri(), uniqueName('replicas'));
  });
  afterEach(async () => {
    await database.connection.dropDatabase();
    await database.close();
  });
  const join = async (): Promise<Replicas> =>
    later(await joinReplicas({ connection: database.connection, everyMs: 50, logger: testLogger() }), (one) =>
      one.stop(),
    );
  const isDivided = (replicas: readonly Replicas[]): boolean =>
    IDS.every((id) => replicas.filter((one) => one.isMine(id)).length === 1);

  it('divide all ids among themselves, and again when one leaves', async () => {
    const [one, two, three] = [await join(), await join(), await join()];
    await until('all share', () => isDivided([one, two, three]));
    expect([one, two, three].map((replica) => replica.count())).toEqual([3, 3, 3]);
    await three.stop();
    await until('the others know', () => [one, two].every((replica) => replica.count() === 2));
    expect(isDivided([one, two])).toBe(true);
    await Promise.all([one.stop(), two.stop()]);
    expect(await database.connection.collection(REPLICAS_COLLECTION).countDocuments({})).toBe(0);
  });

  it('send one heartbeat in four while they are alone', async () => {
    const one = await join();
    await sleep(1_000);
    const found = await database.connection.collection<{ beat: number }>(REPLICAS_COLLECTION).findOne({});
    expect(one.count()).toBe(1);
    expect(found?.beat).toBeLessThanOrEqual(6);
  });

  it('take over from a killed replica immediately, whatever its clock says', async () => {
    // The record of a replica that no longer runs.
    await database.connection
      .collection<{ _id: string; beat: number; expireAt: Date }>(REPLICAS_COLLECTION)
      .insertOne({ _id: 'killed', beat: 7, expireAt: new Date(Date.now() + 86_400_000) });
    const one = await join();
    expect(one.count()).toBe(2);
    expect(IDS.every((id) => one.isMine(id))).toBe(true);
    await until('it is given up', () => one.count() === 1);
    expect(IDS.every((id) => one.isMine(id))).toBe(true);
  });

  it('take over from one that is killed, within seconds', async () => {
    const one = await join();
    const collection = database.connection.collection<{ _id: string; beat: number }>(REPLICAS_COLLECTION);
    for (let beat = 0; IDS.every((id) => one.isMine(id)); beat += 1) {
      await collection.updateOne({ _id: 'other' }, { $set: { beat } }, { upsert: true });
      await sleep(50);
    }
    await until('it is given up', () => one.count() === 1);
    expect(IDS.every((id) => one.isMine(id))).toBe(true);
  });
});
