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

  it('divide all ids among themselves, and divide them anew when one leaves', async () => {
    const [one, two, three] = [await join(), await join(), await join()];
    await until('all know each other', () => [one, two, three].every((replica) => replica.count() === 3));
    expect(isDivided([one, two, three])).toBe(true);
    await three.stop();
    await until('the others know', () => [one, two].every((replica) => replica.count() === 2));
    expect(isDivided([one, two])).toBe(true);
    await Promise.all([one.stop(), two.stop()]);
    expect(await database.connection.collection(REPLICAS_COLLECTION).countDocuments({})).toBe(0);
  });

  it('take over from one that was killed, within seconds, whatever its clock says', async () => {
    // The record of a replica that gets no more turns.
    await database.connection
      .collection<{ _id: string; beat: number; expireAt: Date }>(REPLICAS_COLLECTION)
      .insertOne({ _id: 'killed', beat: 7, expireAt: new Date(Date.now() + 86_400_000) });
    const one = await join();
    expect(one.count()).toBe(2);
    expect(IDS.every((id) => one.isMine(id))).toBe(false);
    await until('it is given up', () => one.count() === 1);
    expect(IDS.every((id) => one.isMine(id))).toBe(true);
  });
});
