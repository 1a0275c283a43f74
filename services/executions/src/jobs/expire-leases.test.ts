import type { Expired } from '../domain/state/lease-end';
import type { Write } from '../domain/state/write';
import { createRunnerSigns } from '../domain/claim/runner-signs';
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
  const signs = createRunnerSigns(
    () => now,
    () => undefined,
  );
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
    signs,
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
    let fence = 1;
    const die = async (change: Partial<Expired>, alone: boolean): Promise<number> => {
      fence += 1;
      const runnerId = `r.1.${fence}`;
      changes = { fence, actedFence: fence, lease: { runnerId, until: new Date(1), attempt: 0, alone }, ...change };
      signs.ended({ runnerId: 'r.1', endedId: runnerId });
      return readLeasesAt(now + 1_000);
    };
    for (const [change, alone, count] of [
      [{ crashes: 5, deathsAlone: 5 }, false, 0],
      [{ crashes: 1 }, true, 0],
      [{ crashPolicy: 'fail' }, false, 0],
      [{ crashes: 2, deathsAlone: 1 }, true, 1],
    ] as const) {
      await die(change, alone);
      expect(quarantined).toHaveLength(count);
    }
    isQuarantineAway = true;
    writes.length = 0;
    expect(await die({ crashes: 2, deathsAlone: 1 }, true)).toBe(0);
  });
});

describe('the leases of a process that has exited or lost its connections', () => {
  const lease = { runnerId: 'r.1', until: new Date(1), attempt: 0, alone: false };
  const setUp = (executions: readonly Partial<Expired>[]) => {
    let now = 0;
    let running: readonly Expired[] = executions.map((change, index) => ({
      ...executionOf(1),
      _id: `e${index}`,
      lease,
      ...change,
    }));
    const quarantined: [string, string][] = [];
    const writes: [string, Write][] = [];
    const published: [string, boolean | undefined][] = [];
    const signs = createRunnerSigns(
      () => now,
      () => undefined,
    );
    const check = createExpireLeases({
      findDue: { running: async () => running },
      apply: async (id, write) => {
        writes.push([id, write]);
        running = running.filter(({ _id }) => _id !== id);
        return { outcome: 'applied' };
      },
      publish: (id, _, { isIsolated } = {}) => published.push([id, isIsolated]),
      signs,
      clock: () => now,
      monotonic: () => now,
      leaseMs,
      retentionMs: 0,
      quarantine: async (versionId, why) => void quarantined.push([versionId, why]),
      onExpired: () => undefined,
      random: () => 0,
    });
    return {
      signs,
      writes,
      quarantined,
      published,
      /** Ids whose lease has ended at that time, with whether they are isolated and their crash counts. */
      endedAt: async (at: number) => {
        now = at;
        writes.length = 0;
        await check();
        return writes.map(([id, { changes }]) => [id, changes.set['runsAlone'] === true, changes.set['crashes']]);
      },
      add: (id: string, change: Partial<Expired>) => {
        running = [...running, { ...executionOf(1), _id: id, lease, ...change }];
      },
      renew: (until: number) => {
        running = running.map((found) => ({ ...found, lease: { ...lease, until: new Date(until) } }));
      },
    };
  };
  const two: readonly Partial<Expired>[] = [{}, {}];

  it('end at once when a later start of the runner reports', async () => {
    const { signs, endedAt } = setUp([
      {},
      {},
      { lease: { ...lease, runnerId: 'r.2' } },
      { lease: { ...lease, runnerId: 'r' } },
    ]);
    expect(await endedAt(0)).toEqual([]);
    signs.ended({ runnerId: 'r.2' });
    expect(await endedAt(1)).toEqual([
      ['e0', false, 1],
      ['e1', false, 1],
    ]);
  });

  it('isolate the only active run, one with two losses without progress, and those of its version', async () => {
    const waits = { ...lease, waits: true };
    const cases: readonly [readonly Partial<Expired>[], unknown][] = [
      [[{}], [['e0', true, 1]]],
      [
        two,
        [
          ['e0', false, 1],
          ['e1', false, 1],
        ],
      ],
      [
        [{ crashes: 1, suspicion: 1 }, { versionId: 'other' }],
        [
          ['e0', true, 2],
          ['e1', false, 1],
        ],
      ],
      [
        [{ crashes: 1, suspicion: 1 }, {}],
        [
          ['e0', true, 2],
          ['e1', true, 1],
        ],
      ],
      [
        [{ crashes: 1, suspicion: 1, nodeRunCount: 3, runsAtCrash: 2 }, {}],
        [
          ['e0', false, 1],
          ['e1', false, 1],
        ],
      ],
      // Claims that never acted may have ended their process, but cost no crash.
      [
        [{ actedFence: 0 }, { actedFence: 0, suspicion: 1 }],
        [
          ['e0', false, 0],
          ['e1', true, 0],
        ],
      ],
      // Two of three waited: the third one is the only suspect.
      [
        [{ lease: waits }, {}, { lease: waits }],
        [
          ['e0', false, 0],
          ['e1', true, 1],
          ['e2', false, 0],
        ],
      ],
      // A run that waited again and again is finally isolated, and one that waited before is not at its first charge.
      [
        [{ lease: waits, suspicion: 1.5 }, { suspicion: 0.5 }, {}],
        [
          ['e0', true, 0],
          ['e1', false, 1],
          ['e2', false, 1],
        ],
      ],
      // A crash that an earlier release counted.
      [
        [{ crashes: 1 }, { versionId: 'other' }],
        [
          ['e0', true, 2],
          ['e1', false, 1],
        ],
      ],
      // Isolated before: it stays isolated.
      [
        [{ runsAlone: true, crashes: 1 }, { versionId: 'other' }],
        [
          ['e0', true, 2],
          ['e1', false, 1],
        ],
      ],
    ];
    for (const [executions, expected] of cases) {
      const { signs, endedAt } = setUp(executions);
      signs.ended({ runnerId: 'r.2' });
      expect(await endedAt(1)).toEqual(expected);
    }
  });

  it('charge only the blamed run, if the report names one, and put its version in quarantine', async () => {
    const alone = { ...lease, alone: true };
    const blamed = { executionId: 'e1', node: 'N' };
    for (const report of [
      { runnerId: 'r.1', endedId: 'r.1', blamed },
      // The next program of the process reports it.
      { runnerId: 'r.2', blamed },
    ]) {
      const { signs, endedAt, quarantined, writes } = setUp([
        {},
        { versionId: 'v1' },
        { lease: alone, runsAlone: true, crashes: 2, deathsAlone: 1 },
      ]);
      signs.ended(report);
      // The blamed one is the last: its version is put in quarantine first.
      expect(await endedAt(1)).toEqual([
        ['e0', false, 0],
        ['e2', true, 2],
        ['e1', true, 1],
      ]);
      expect(quarantined).toEqual([['v1', 'blamed']]);
      // The others continue at once.
      expect(writes.map(([, { changes }]) => changes.set['notBefore'])).toEqual([
        new Date(1),
        new Date(1),
        expect.any(Date),
      ]);
      expect(writes[2]?.[1].changes.set['suspicion']).toBe(2);
    }
  });

  it('give a run up that is blamed twice in a process without other runs, and name the node', async () => {
    const alone = { lease: { ...lease, runnerId: 'r.1.x', alone: true }, runsAlone: true, crashes: 2, suspicion: 4 };
    for (const [node, start] of [
      ['Sort', 'The node "Sort" blocked the process that ran it'],
      ['', 'The start of this execution blocked the process that ran it'],
      [undefined, 'The runner died 3 times while it ran this execution.'],
    ] as const) {
      const { signs, endedAt, writes, quarantined } = setUp([{ ...alone, deathsAlone: 1 }]);
      const blamed = { executionId: 'e0', ...(node === undefined ? {} : { node }) };
      signs.ended({ runnerId: 'r.1', endedId: 'r.1.x', blamed });
      await endedAt(1);
      expect(writes.map(([, { transition, changes }]) => [transition, changes.set['error']])).toEqual([
        [
          'crash',
          {
            reason: 'CRASHED',
            node: node ?? '',
            errorJson: '',
            message: expect.stringMatching(new RegExp(`^${start}`)),
          },
        ],
      ]);
      expect(quarantined).toEqual([['v', 'abandoned']]);
    }
  });

  it('end after 3 s without connections', async () => {
    const { signs, endedAt } = setUp(two);
    await endedAt(0);
    await endedAt(9_000);
    signs.disconnected('r.1');
    expect(await endedAt(9_001)).toEqual([]);
    expect(await endedAt(11_900)).toEqual([]);
    expect(await endedAt(12_001)).toEqual([
      ['e0', false, 1],
      ['e1', false, 1],
    ]);
  });

  it('last if one of them is renewed meanwhile', async () => {
    const renewed = setUp(two);
    renewed.signs.disconnected('r.1');
    await renewed.endedAt(100);
    renewed.renew(2);
    for (const at of [1_000, 4_500, 20_000]) expect(await renewed.endedAt(at)).toEqual([]);
  });

  it('isolate none whose lease was only not renewed, unless that happens twice without progress', async () => {
    for (const disconnects of [false, true]) {
      const { signs, endedAt, add } = setUp([{}]);
      await endedAt(0);
      if (disconnects) signs.disconnected('r.1');
      expect(await endedAt(40_000)).toEqual([['e0', false, 1]]);
      add('e0', { fence: 2, actedFence: 2, crashes: 1, suspicion: 1 });
      await endedAt(41_000);
      expect(await endedAt(80_000)).toEqual([['e0', true, 2]]);
    }
  });

  it('cost no crash when a claim never acted and no exit was reported, but are remembered', async () => {
    const { endedAt } = setUp([{ actedFence: 0 }, { actedFence: 0, suspicion: 1 }]);
    await endedAt(0);
    expect(await endedAt(40_000)).toEqual([
      ['e0', false, 0],
      ['e1', true, 0],
    ]);
  });

  it('give up a run only if alone in a process that died: twice if reported, four times with its runner', async () => {
    const alone = { ...lease, runnerId: 'r.1.a', alone: true };
    const found = { lease: alone, runsAlone: true, crashes: 7, suspicion: 7 };
    const cases: readonly [Partial<Expired>, 'reported' | 'superseded' | 'unknown', boolean][] = [
      [{ ...found, deathsAlone: 1 }, 'reported', true],
      [{ ...found, deathsAlone: 1.5 }, 'superseded', true],
      [{ ...found, deathsAlone: 1 }, 'superseded', false],
      [{ ...found, deathsAlone: 1 }, 'unknown', false],
      [found, 'reported', false],
      [{ ...found, deathsAlone: 1, actedFence: 0 }, 'reported', false],
      [{ ...found, deathsAlone: 1, lease: { ...alone, alone: false } }, 'reported', false],
      [{ ...found, deathsAlone: 1, nodeRunCount: 1 }, 'reported', false],
    ];
    for (const [execution, cause, isGivenUp] of cases) {
      const { signs, endedAt, writes } = setUp([execution]);
      await endedAt(0);
      if (cause === 'reported') signs.ended({ runnerId: 'r.1', endedId: 'r.1.a' });
      if (cause === 'superseded') signs.ended({ runnerId: 'r.2' });
      await endedAt(40_000);
      expect([cause, writes[0]?.[1].transition]).toEqual([cause, isGivenUp ? 'crash' : 'expire']);
    }
  });
});
