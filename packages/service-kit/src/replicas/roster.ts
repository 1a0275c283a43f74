/** Live replicas as seen by one of them, and how work is divided among them. */
export interface Roster {
  /** Updates the roster with the last poll: the beat of each stored replica. */
  readonly seen: (beats: ReadonlyMap<string, number>, now: number) => void;
  /** Number of live replicas, this one included. */
  readonly count: (now: number) => number;
  /** True if this replica is responsible for an id, by rendezvous hashing over the live replicas. */
  readonly isMine: (id: string, now: number) => boolean;
}

/** FNV-1a with a final mix, so that names differing in one character are spread far apart. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

interface Sighting {
  readonly beat: number;
  /** Time at which this beat was first seen. */
  readonly at: number;
  /** It has a share of the work. */
  readonly shares: boolean;
}

/** Timeouts for other replicas, in milliseconds. */
export interface RosterTimes {
  /** Another replica is alive if its beat changed within this time. */
  readonly aliveMs: number;
  /** It has a share from two beats on that follow each other within this time, as long as it is alive. */
  readonly sharesMs: number;
}

/**
 * Creates the roster of one replica. It measures other replicas by its own clock; clocks of different machines are
 * never compared. A replica that beats rarely believes it is the only one, and one that was seen once may be dead:
 * neither has a share yet.
 * @param self name of this replica, which is always alive
 */
export const createRoster = (self: string, { aliveMs, sharesMs }: RosterTimes): Roster => {
  let others = new Map<string, Sighting>();
  const alive = (now: number): [string, Sighting][] => [...others].filter(([, { at }]) => now - at < aliveMs);
  return {
    seen: (beats, now) => {
      others = new Map(
        [...beats]
          .filter(([name]) => name !== self)
          .map(([name, beat]) => {
            const known = others.get(name);
            if (known?.beat === beat) return [name, known];
            const afterMs = known === undefined ? Number.POSITIVE_INFINITY : now - known.at;
            return [name, { beat, at: now, shares: afterMs < (known?.shares === true ? aliveMs : sharesMs) }];
          }),
      );
    },
    count: (now) => 1 + alive(now).length,
    isMine: (id, now) => {
      if (others.size === 0) return true;
      const own = hashOf(`${id} ${self}`);
      return alive(now).every(([name, { shares }]) => {
        if (!shares) return true;
        const theirs = hashOf(`${id} ${name}`);
        return own > theirs || (own === theirs && self > name);
      });
    },
  };
};
