import type { Expired } from '../domain/state/free-writes';
import type { Write } from '../domain/state/write';
import { createExpireLeases } from './expire-leases';

const leaseMs = 30_000;
const executionOf = (until: number): Expired => ({
  _id: 'e',
  versionId: 'v',
  fence: 1,
  actedFence: 1,
  crashes: 0,
  crashPolicy: 'resume',
  nodeRunCount: 0,
  runsAtCrash: 0,
  generation: 0,
  lease: { runnerId: 'r', until: new Date(until), attempt: 0, alone: false },
});

describe('the check of leases', () => {
  let now = 0;
  let isAway = false;
  let readMs = 0;
  let until = 0;
  let changes: Partial<Expired> = {};
  const writes: Write[] = [];
  const told: [string, boolean][] = [];
  const quarantined: string[] = [];
  let isQuarantineAway = false;
  const readLeases = createExpireLeases({
    findDue: {
      running: async () => {
        now += readMs;
        if (isAway) throw new Error('away');
        return [{ ...executionOf(until), ...changes }];
      },
    },
    apply: async (_, write) => {
      writes.push(write);
      return { outcome: 'applied' };
    },
    publish: () => undefined,
    clock: () => now,
    monotonic: () => now,
    leaseMs,
    retentionMs: 0,
    quarantine: async (versionId) => {
      if (isQuarantineAway) throw new Error('away');
      quarantined.push(versionId);
    },
    onExpired: (found, isGivenUp) => told.push([found._id, isGivenUp]),
    random: () => 0,
  });
  const readLeasesAt = async (at: number): Promise<number> => {
    now = at;
    await readLeases().catch(() => undefined);
    return writes.length;
  };

  it('does not count the time in which the store could not be read: no runner could renew then either', async () => {
    await readLeasesAt(0);
    await readLeasesAt(10_000);
    isAway = true;
    for (const at of [11_000, 50_000]) await readLeasesAt(at);
    isAway = false;
    // of the 52 s the first ten count, and those since the last failed read
    expect(await readLeasesAt(52_000)).toBe(0);
    expect(await readLeasesAt(71_000)).toBe(0);
    expect(await readLeasesAt(73_000)).toBe(1);
    expect(told).toEqual([['e', false]]);
  });

  it('allows less time for an inline run until its first side effect', async () => {
    const lease = { runnerId: 'r', until: new Date(1), attempt: 0, alone: false, ms: 3_000 };
    for (const [actedFence, written] of [
      [0, 1],
      [1, 0],
    ] as const) {
      changes = { lease, actedFence, fence: 1 };
      writes.length = 0;
      now += 1_000_000;
      lease.until = new Date(now);
      await readLeasesAt(now);
      expect(await readLeasesAt(now + 10_000)).toBe(written);
    }
    expect(await readLeasesAt(now + 25_000)).toBe(1);
    expect(writes[0]).toMatchObject({ transition: 'expire' });
    changes = {};
  });

  it('considers what it reads to be as old as the request', async () => {
    writes.length = 0;
    until = 1;
    await readLeasesAt(100_000);
    readMs = 20_000;
    expect(await readLeasesAt(120_000)).toBe(0);
    readMs = 0;
    expect(await readLeasesAt(140_000)).toBe(1);
  });

  it('puts a version in quarantine only for an isolated run, and before that run has ended', async () => {
    writes.length = 0;
    const lease = { runnerId: 'r', until: new Date(1), attempt: 0, alone: true };
    let fence = 1;
    const die = async (change: Partial<Expired>): Promise<number> => {
      fence += 1;
      changes = { fence, actedFence: fence, ...change };
      now += 1_000_000;
      await readLeasesAt(now);
      return readLeasesAt(now + 40_000);
    };
    for (const [change, count] of [
      [{ lease: { ...lease, alone: false }, crashes: 5 }, 0],
      [{ lease, crashes: 1 }, 0],
      [{ lease: { ...lease, alone: false }, crashPolicy: 'fail' }, 0],
      [{ lease, crashes: 2 }, 1],
    ] as const) {
      await die(change);
      expect(quarantined).toHaveLength(count);
    }
    isQuarantineAway = true;
    writes.length = 0;
    expect(await die({ lease, crashes: 2 })).toBe(0);
  });
});
