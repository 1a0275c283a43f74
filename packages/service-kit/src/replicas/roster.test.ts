import { createRoster, type Roster } from './roster';

const NAMES = ['a', 'b', 'c'];
const IDS = Array.from({ length: 3_000 }, (_, n) => `execution-${n}`);
const beats = (names: readonly string[], beat: number): Map<string, number> =>
  new Map(names.map((name) => [name, beat]));
const TIMES = { aliveMs: 100, sharesMs: 50 };
/** Reports two beats of each replica to a roster, 10 ms before `now` and at `now`. */
const seeTwice = (roster: Roster, names: readonly string[], now: number): void => {
  roster.seen(beats(names, 0), now - 10);
  roster.seen(beats(names, 1), now);
};
const ownersOf = (id: string, rosters: readonly Roster[], now: number): number[] =>
  rosters.flatMap((roster, index) => (roster.isMine(id, now) ? [index] : []));

describe('the roster of replicas', () => {
  it('gives everything to a single replica', () => {
    const roster = createRoster('a', TIMES);
    roster.seen(beats(['a'], 1), 0);
    expect(IDS.every((id) => roster.isMine(id, 5))).toBe(true);
    expect(roster.count(5)).toBe(1);
  });

  it('gives each id to exactly one of several, in about equal shares', () => {
    const rosters = NAMES.map((name) => createRoster(name, TIMES));
    for (const roster of rosters) seeTwice(roster, NAMES, 0);
    const shares = [0, 0, 0];
    for (const id of IDS) {
      const owners = ownersOf(id, rosters, 10);
      expect(owners).toHaveLength(1);
      shares[owners[0] ?? 0] = (shares[owners[0] ?? 0] ?? 0) + 1;
    }
    for (const share of shares) expect(Math.abs(share - IDS.length / 3)).toBeLessThan(IDS.length / 12);
  });

  it('gives the share of a replica that falls silent to the others, and moves nothing else', () => {
    const rosters = NAMES.map((name) => createRoster(name, TIMES));
    for (const roster of rosters) seeTwice(roster, NAMES, 0);
    const before = IDS.map((id) => ownersOf(id, rosters, 10)[0]);
    const left = rosters.slice(0, 2);
    // The silent replica is still stored, with its last beat.
    for (const roster of left)
      for (const at of [49, 99]) roster.seen(new Map([...beats(['a', 'b'], at), ['c', 1]]), at);
    expect(left[0]?.count(99)).toBe(3);
    expect(left[0]?.count(150)).toBe(2);
    IDS.forEach((id, index) => {
      const owners = ownersOf(id, left, 150);
      expect(owners).toHaveLength(1);
      if (before[index] !== 2) expect(owners[0]).toBe(before[index]);
    });
  });

  it('drops a replica immediately when it leaves, and includes one that returns', () => {
    const roster = createRoster('a', TIMES);
    seeTwice(roster, ['a', 'b'], 0);
    expect(roster.count(1)).toBe(2);
    roster.seen(beats(['a'], 2), 1);
    expect(roster.count(1)).toBe(1);
    roster.seen(beats(['a', 'b'], 3), 2);
    expect(roster.count(2)).toBe(2);
  });

  it('gives no share to replicas that were seen once or beat rarely, but counts them', () => {
    const roster = createRoster('a', TIMES);
    const hasAll = (now: number): boolean => IDS.every((id) => roster.isMine(id, now));
    roster.seen(beats(['b'], 1), 0);
    expect([roster.count(1), hasAll(1)]).toEqual([2, true]);
    roster.seen(beats(['b'], 2), 60);
    expect([roster.count(61), hasAll(61)]).toEqual([2, true]);
    roster.seen(beats(['b'], 3), 100);
    expect([roster.count(101), hasAll(101)]).toEqual([2, false]);
    roster.seen(beats(['b'], 4), 190);
    expect([roster.count(191), hasAll(191)]).toEqual([2, false]);
    roster.seen(beats(['b'], 5), 300);
    expect([roster.count(301), hasAll(301)]).toEqual([2, true]);
  });
});
