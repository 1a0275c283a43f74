/** Reason of an abort from outside. `release`: what the run needs cannot be reached now. */
export type AbortReason = 'lost' | 'cancelled' | 'drain' | 'release';

/** A claim that this runner holds. */
export interface Held {
  readonly executionId: string;
  readonly fence: number;
  /** Fires with an AbortReason. */
  readonly signal: AbortSignal;
  readonly abort: (reason: AbortReason) => void;
  /**
   * Notes an accepted heartbeat.
   * @param sentAt when it was sent, by the clock of the claims: the service wrote the lease no sooner
   */
  readonly renew: (sentAt: number) => void;
  /**
   * Makes a heartbeat due at once. `isShared`: from now on it reports that others run beside what was claimed alone.
   * Resolves when it was accepted, or the claim is gone.
   */
  readonly confirm: (isShared: boolean) => Promise<void>;
  readonly isShared: boolean;
}

/** All claims of this runner. */
export interface HeldExecutions {
  /** @param sentAt when the claim was sent, by the clock of the claims */
  readonly hold: (executionId: string, fence: number, leaseMs: number, sentAt: number) => Held;
  readonly release: (held: Held) => void;
  readonly all: () => readonly Held[];
  /** Makes the claims on these executions due at once. @returns whether there are any. */
  readonly recheck: (executionIds: readonly string[]) => boolean;
  /**
   * Those whose lease was last renewed a third of it ago or longer, those claimed a second ago and not renewed since,
   * and those that are to be rechecked.
   */
  readonly due: () => readonly Held[];
  /** Aborts what had no accepted heartbeat for two thirds of its lease: another runner may take it soon. */
  readonly abortStale: () => void;
}

interface Entry extends Held {
  renewedAt: number;
  /** Time at which a heartbeat beyond the regular ones was requested; undefined: none is owed. */
  recheckAt: number | undefined;
  isShared: boolean;
  /** Time after the last renewal at which the next is due. */
  dueMs: number;
  waiters: { readonly askedAt: number; readonly resolve: () => void }[];
  readonly leaseMs: number;
}

/**
 * The first heartbeat comes this soon: it reports to the service that the run is active, so that the death of its
 * runner counts. A run that is shorter costs none.
 */
const FIRST_BEAT_MS = 1_000;

const keyOf = ({ executionId, fence }: Pick<Held, 'executionId' | 'fence'>): string => `${executionId} ${fence}`;

/**
 * Holds the claims of one runner.
 * @param clock milliseconds that only grow; wall clocks are never compared with the service's.
 */
export const createHeldExecutions = (clock: () => number): HeldExecutions => {
  const entries = new Map<string, Entry>();
  return {
    hold: (executionId, fence, leaseMs, sentAt) => {
      const controller = new AbortController();
      const entry: Entry = {
        executionId,
        fence,
        leaseMs,
        signal: controller.signal,
        renewedAt: sentAt,
        recheckAt: undefined,
        isShared: false,
        dueMs: Math.min(FIRST_BEAT_MS, leaseMs / 3),
        waiters: [],
        abort: (reason) => controller.abort(reason),
        renew: (renewedAt) => {
          entry.renewedAt = renewedAt;
          entry.dueMs = leaseMs / 3;
          // One that was under way already says nothing about requests made after it was sent.
          if (entry.recheckAt !== undefined && entry.recheckAt <= renewedAt) entry.recheckAt = undefined;
          const { waiters } = entry;
          entry.waiters = waiters.filter(({ askedAt }) => askedAt > renewedAt);
          for (const { askedAt, resolve } of waiters) if (askedAt <= renewedAt) resolve();
        },
        confirm: (isShared) =>
          new Promise((resolve) => {
            entry.isShared ||= isShared;
            const askedAt = clock();
            entry.recheckAt = askedAt;
            entry.waiters.push({ askedAt, resolve });
            controller.signal.addEventListener('abort', () => resolve(), { once: true });
          }),
      };
      entries.set(keyOf(entry), entry);
      return entry;
    },
    release: (held) => void entries.delete(keyOf(held)),
    all: () => [...entries.values()],
    recheck: (executionIds) => {
      const ids = new Set(executionIds);
      const found = [...entries.values()].filter(({ executionId }) => ids.has(executionId));
      for (const entry of found) entry.recheckAt = clock();
      return found.length > 0;
    },
    due: () => {
      const now = clock();
      return [...entries.values()].filter(
        (entry) => entry.recheckAt !== undefined || now - entry.renewedAt >= entry.dueMs,
      );
    },
    abortStale: () => {
      const now = clock();
      for (const entry of entries.values()) if (now - entry.renewedAt > (entry.leaseMs * 2) / 3) entry.abort('lost');
    },
  };
};
