/** Division of due work among replicas. An optimization, never a lock: every change is a compare-and-set. */
export interface Share {
  /** Number of live replicas, this one included. */
  readonly count: () => number;
  /** True if this replica is responsible for an id. */
  readonly isMine: (id: string) => boolean;
}

/** Options of one job. */
export interface TakeMineOptions<Found> {
  readonly share: Share;
  /** Id that decides which replica is responsible. */
  readonly idOf: (found: Found) => string;
  /** Due time: the same id due at another time is separate work. */
  readonly dueOf: (found: Found) => Date | undefined;
  /** Monotonic milliseconds. */
  readonly elapsed?: () => number;
}

/** Milliseconds after which any replica takes work that is still due, because the responsible one is not doing it. */
export const TAKEOVER_MS = 30_000;

/** Maximum number of observed work items of other replicas. */
const MAX_OBSERVED = 50_000;

/**
 * Selects this replica's work among due work: its own share, and anything due for TAKEOVER_MS that the responsible
 * replica has not done. Create one instance per job, because it remembers what the job has found.
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
      if (others.size < MAX_OBSERVED) others.set(key, { since: now, last: now });
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
