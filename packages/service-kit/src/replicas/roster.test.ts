import { createRoster, type Roster } from './roster';

const NAMES = ['a', 'b', 'c'];
const IDS = Array.from({ length: 3_000 }, (_, n) => `execution-${n}`);
const beats = (names: readonly string[], beat: number): Map<string, number> =>
  new Map(names.map((name) => [name, beat]));
const ownersOf = (id: string, rosters: readonly Roster[], now: number): number[] =>
  rosters.flatMap((roster, index) => (roster.isMine(id, now) ? [index] : []));

describe('the roster of replicas', () => {
  it('gives everything to a replica that is alone', () => {
    const roster = createRoster('a', 100);
    roster.seen(beats(['a'], 1), 0);
    expect(IDS.every((id) => roster.isMine(id, 5))).toBe(true);
    expect(roster.count(5)).toBe(1);
  });

  it('gives each id to exactly one of several, in about equal shares', () => {
    const rosters = NAMES.map((name) => createRoster(name, 100));
    for (const roster of rosters) roster.seen(beats(NAMES, 1), 0);
    const shares = [0, 0, 0];
    for (const id of IDS) {
      const owners = ownersOf(id, rosters, 10);
      expect(owners).toHaveLength(1);
      shares[owners[0] ?? 0] = (shares[owners[0] ?? 0] ?? 0) + 1;
    }
    for (const share of shares) expect(Math.abs(share - IDS.length / 3)).toBeLessThan(IDS.length / 12);
  });

  it('gives the share of a replica that falls silent to the others, and moves nothing else', () => {
    const rosters = NAMES.map((name) => createRoster(name, 100));
    for (const roster of rosters) roster.seen(beats(NAMES, 1), 0);
    const before = IDS.map((id) => ownersOf(id, rosters, 10)[0]);
    const left = rosters.slice(0, 2);
    // The silent one is still named in the store, with the beat it had.
    for (const roster of left)
      roster.seen(
        new Map([
          ['a', 2],
          ['b', 2],
          ['c', 1],
        ]),
        99,
      );
    expect(left[0]?.count(99)).toBe(3);
    expect(left[0]?.count(150)).toBe(2);
    IDS.forEach((id, index) => {
      const owners = ownersOf(id, left, 150);
      expect(owners).toHaveLength(1);
      if (before[index] !== 2) expect(owners[0]).toBe(before[index]);
    });
  });

  it('drops a replica that left at once, and includes one that returns', () => {
    const roster = createRoster('a', 100);
    roster.seen(beats(['a', 'b'], 1), 0);
    expect(roster.count(1)).toBe(2);
    roster.seen(beats(['a'], 2), 1);
    expect(roster.count(1)).toBe(1);
    roster.seen(beats(['a', 'b'], 3), 2);
    expect(roster.count(2)).toBe(2);
  });
});
