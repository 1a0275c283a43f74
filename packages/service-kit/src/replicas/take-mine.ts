/**
 * How replicas divide what is due among themselves. A hint that saves work, never a lock: every change is a
 * compare-and-set.
 */
export interface Share {
  /** Replicas that are alive, this one included. */
  readonly count: () => number;
  /** Whether this replica looks after what has the id. */
  readonly isMine: (id: string) => boolean;
}

/** How to tell what was found. */
export interface TakeMineOptions<Found> {
  readonly share: Share;
  /** What decides whose it is. */
  readonly idOf: (found: Found) => string;
  /** Since when it is due: the same thing due at another time is another piece of work. */
  readonly dueOf: (found: Found) => Date | undefined;
  /** Milliseconds of a clock that never jumps. */
  readonly elapsed?: () => number;
}

/**
 * Milliseconds for which something may be found due again and again before any replica takes it: whoever should look
 * after it does not.
 */
export const TAKEOVER_MS = 30_000;

/** Most pieces of work of others that are remembered. */
const MAX_REMEMBERED = 50_000;

/**
 * Picks out of what is due what this replica is to do. It leaves to the others what they look after, as long as they
 * do:
 * what it has seen due for TAKEOVER_MS it takes itself. One for each job, since it remembers what the job has found.
 */
export const createTakeMine = <Found>({
  share,
  idOf,
  dueOf,
  elapsed = () => performance.now(),
}: TakeMineOptions<Found>): ((found: readonly Found[]) => Found[]) => {
  const others = new Map<string, { readonly since: number; last: number }>();
  let tidied = elapsed();

  const tidy = (now: number): void => {
    if (now - tidied < TAKEOVER_MS) return;
    tidied = now;
    for (const [key, { last }] of others) if (now - last >= TAKEOVER_MS) others.delete(key);
  };
  const isLeft = (found: Found, now: number): boolean => {
    const key = `${idOf(found)} ${dueOf(found)?.getTime() ?? 0}`;
    const known = others.get(key);
    if (known === undefined) {
      if (others.size < MAX_REMEMBERED) others.set(key, { since: now, last: now });
      return false;
    }
    known.last = now;
    return now - known.since >= TAKEOVER_MS;
  };
  return (found) => {
    const now = elapsed();
    tidy(now);
    return found.filter((one) => share.isMine(idOf(one)) || isLeft(one, now));
  };
};
