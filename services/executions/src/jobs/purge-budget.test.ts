import { createPurgeBudget } from './purge-budget';

const HOUR_MS = 3_600_000;

describe('the budget for purging records', () => {
  const purgedIn = async (hours: number, records: number, replicas = 1): Promise<number> => {
    let now = 0;
    const take = createPurgeBudget({
      countRecords: () => Promise.resolve(records),
      replicas: () => replicas,
      clock: () => now,
    });
    let purged = 0;
    for (; now <= hours * HOUR_MS; now += 1_000) purged += await take(500);
    return purged;
  };

  it('is a fifth of the records in an hour, however many are due', async () => {
    const purged = await purgedIn(1, 100_000);
    expect(purged).toBeGreaterThan(19_000);
    expect(purged).toBeLessThanOrEqual(20_000);
  });

  it('is shared by the replicas', async () => {
    expect(await purgedIn(1, 100_000, 2)).toBeLessThanOrEqual(10_000);
  });

  it('is enough for a small store', async () => {
    expect(await purgedIn(1, 10)).toBeGreaterThan(500);
  });
});
