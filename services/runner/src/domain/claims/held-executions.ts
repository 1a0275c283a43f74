import { InFlightMap } from '@weft/service-kit/in-flight';

/** Reason of an abort from outside. `release`: what the run needs cannot be reached now. */
export type AbortReason = 'lost' | 'cancelled' | 'drain' | 'release';

/** The first lease of a run that began before it was stored. */
export interface FirstLease {
  /** Milliseconds until it must be renewed. */
  readonly ms: number;
  /** Asks the replica that held the run whether the claim is over. Rejects if nobody can say. */
  readonly isOver: () => Promise<boolean>;
}

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
   * Notes that the store knows the run as one that may have acted outside. The service leaves it a whole lease from its
   * claim on, however short the first one was: whoever takes it up would repeat what it did.
   */
  readonly mayHaveActed: () => void;
  /** A replica does not know the claim: it is over, unless another one still holds the run in memory. */
  readonly lost: () => void;
  /** Notes that a heartbeat is sent now; until it is answered, the next one follows soon. */
  readonly asked: () => void;
  /**
   * Makes a heartbeat due at once. `isShared`: from now on it reports that others run beside what was claimed alone.
   * Resolves when it was accepted, or the claim is gone.
   */
  readonly confirm: (isShared: boolean) => Promise<void>;
  readonly isShared: boolean;
}

/** All claims of this runner. */
export interface HeldExecutions {
  /**
   * @param sentAt when the claim was sent, by the clock of the claims
   * @param first the lease until its first renewal, if the run began before it was stored
   */
  readonly hold: (executionId: string, fence: number, leaseMs: number, sentAt: number, first?: FirstLease) => Held;
  readonly release: (held: Held) => void;
  readonly all: () => readonly Held[];
  /** Makes the claims on these executions due at once. @returns whether there are any. */
  readonly recheck: (executionIds: readonly string[]) => boolean;
  /**
   * Those whose lease was last renewed a third of it ago or longer, those claimed a second ago and not renewed since,
   * and those that are to be rechecked; without those that are lost, or for which a heartbeat was sent a moment ago.
   */
  readonly due: () => readonly Held[];
  /**
   * Releases what had no accepted heartbeat for two thirds of its lease, and was not answered one sent since: another
   * runner may take it soon. It was not this run that made the service unreachable, so it is to cost no crash point.
   */
  readonly releaseStale: () => void;
}

interface Entry extends Held {
  renewedAt: number;
  /** Time at which a heartbeat beyond the regular ones was requested; undefined: none is owed. */
  recheckAt: number | undefined;
  isShared: boolean;
  /** Time after the last renewal at which the next is due. */
  dueMs: number;
  /** When the last heartbeat was sent. */
  askedAt: number | undefined;
  /** When the first heartbeat was sent after two thirds of the lease. */
  lateAskedAt: number | undefined;
  waiters: { readonly askedAt: number; readonly resolve: () => void }[];
  leaseMs: number;
}

/**
 * The first heartbeat comes this soon: it reports to the service that the run is active, so that the death of its
 * runner counts. A run that is shorter costs none.
 */
const FIRST_BEAT_MS = 1_000;

/**
 * A heartbeat that has no answer yet is followed by another after this time, or after a ninth of the lease if that is
 * less. The next may go to another replica, and one that hangs must not use up the lease.
 */
const NEXT_BEAT_MS = 1_000;

const nextBeatMs = ({ leaseMs }: Pick<Entry, 'leaseMs'>): number => Math.min(NEXT_BEAT_MS, leaseMs / 9);

const keyOf = ({ executionId, fence }: Pick<Held, 'executionId' | 'fence'>): string => `${executionId} ${fence}`;

/**
 * Holds the claims of one runner.
 * @param clock milliseconds that only grow; wall clocks are never compared with the service's.
 */
export const createHeldExecutions = (clock: () => number): HeldExecutions => {
  const entries = new InFlightMap<string, Entry>();
  const isLate = ({ renewedAt, leaseMs }: Entry): boolean => clock() - renewedAt > (leaseMs * 2) / 3;
  return {
    hold: (executionId, fence, leaseMs, sentAt, first) => {
      const firstLeaseMs = first?.ms ?? leaseMs;
      const controller = new AbortController();
      const entry: Entry = {
        executionId,
        fence,
        leaseMs: firstLeaseMs,
        signal: controller.signal,
        renewedAt: sentAt,
        recheckAt: undefined,
        askedAt: undefined,
        lateAskedAt: undefined,
        isShared: false,
        dueMs: Math.min(FIRST_BEAT_MS, firstLeaseMs / 3),
        waiters: [],
        abort: (reason) => controller.abort(reason),
        lost: () => {
          if (first === undefined) return controller.abort('lost');
          first.isOver().then(
            (isOver) => isOver && controller.abort('lost'),
            // The next heartbeat asks again, as long as the lease lasts.
            () => undefined,
          );
        },
        asked: () => {
          entry.askedAt = clock();
          if (isLate(entry)) entry.lateAskedAt ??= entry.askedAt;
        },
        renew: (renewedAt) => {
          // The answers of two heartbeats may come in any order.
          entry.renewedAt = Math.max(entry.renewedAt, renewedAt);
          entry.lateAskedAt = undefined;
          entry.leaseMs = leaseMs;
          entry.dueMs = leaseMs / 3;
          // One that was under way already says nothing about requests made after it was sent.
          if (entry.recheckAt !== undefined && entry.recheckAt <= renewedAt) entry.recheckAt = undefined;
          const { waiters } = entry;
          entry.waiters = waiters.filter(({ askedAt }) => askedAt > renewedAt);
          for (const { askedAt, resolve } of waiters) if (askedAt <= renewedAt) resolve();
        },
        mayHaveActed: () => {
          entry.leaseMs = leaseMs;
          entry.lateAskedAt = undefined;
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
      return [...entries.values()].filter((entry) => {
        const { askedAt = Number.NEGATIVE_INFINITY, recheckAt, renewedAt, dueMs, signal } = entry;
        if (signal.reason === 'lost') return false;
        if (recheckAt !== undefined && recheckAt > askedAt) return true;
        return (recheckAt !== undefined || now - renewedAt >= dueMs) && now - askedAt >= nextBeatMs(entry);
      });
    },
    releaseStale: () => {
      const now = clock();
      for (const entry of entries.values())
        if (isLate(entry) && entry.lateAskedAt !== undefined && now - entry.lateAskedAt >= nextBeatMs(entry))
          entry.abort('release');
    },
  };
};
