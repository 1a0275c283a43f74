import { InFlightMap } from '@weft/service-kit/in-flight';
import { LiveRun } from './live-run';

/** Reason of an external abort. `release`: a dependency of the run is unavailable. */
export type AbortReason = 'lost' | 'cancelled' | 'drain' | 'release';

/** The first lease of an inline run, which began before it was stored. */
export interface FirstLease {
  /** Milliseconds until it must be renewed. */
  readonly ms: number;
  /** Asks the replica that held the run whether the claim has ended. Rejects if that is unknown. */
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
   * Records an accepted heartbeat.
   * @param sentAt when it was sent, by the claims clock: the service wrote the lease no earlier
   */
  readonly renew: (sentAt: number) => void;
  /**
   * Records that the stored run may have had side effects. The service grants it a whole lease from its claim, however
   * short the first one was: another runner would repeat the side effects.
   */
  readonly mayHaveActed: () => void;
  /** A replica does not know the claim: it has ended, unless another replica still holds the run in memory. */
  readonly lost: () => void;
  /** Records that a heartbeat is sent now; without a response, the next one follows soon. */
  readonly asked: () => void;
  /**
   * Sends a heartbeat at once. `isShared`: from now on heartbeats report that other runs share the process of an
   * isolated one. Resolves when it was accepted, or the claim was lost.
   */
  readonly confirm: (isShared: boolean) => Promise<void>;
  /**
   * Resolves at once while no other runner can have the execution: until the lease has run out since it was renewed, or
   * claimed. After that, as in a process that was suspended or got the response to its claim late, it resolves when a
   * heartbeat was accepted, or the run was aborted.
   */
  readonly whenHeld: () => Promise<void>;
  readonly isShared: boolean;
  /**
   * Awaits a response or a timer for the run. Heartbeats report a run that has waited for a while: if the process dies
   * then, the run is not suspected. Such a run continues once the service knows that it does.
   */
  readonly whileWaiting: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Records that the run uses the thread although it awaits something. */
  readonly isActive: () => void;
  /** Whether the heartbeat being sent reports that the run waits. */
  readonly isWaiting: boolean;
  /** Progress that followers see until it is stored. */
  readonly live: LiveRun;
  /** Records that the service accepted a checkpoint. */
  readonly stored: () => void;
}

/** All claims of this runner. */
export interface HeldExecutions {
  /**
   * @param sentAt when the claim was sent, by the claims clock
   * @param first the lease until its first renewal, if the run began before it was stored
   */
  readonly hold: (executionId: string, fence: number, leaseMs: number, sentAt: number, first?: FirstLease) => Held;
  readonly release: (held: Held) => void;
  readonly all: () => readonly Held[];
  /** Makes the claims on these executions due at once. @returns whether there are any. */
  readonly recheck: (executionIds: readonly string[]) => boolean;
  /**
   * Claims whose lease was last renewed a third of it ago or longer, those claimed a second ago and not renewed since,
   * and those to be rechecked; without those that are lost, or for which a heartbeat was sent a moment ago.
   */
  readonly due: () => readonly Held[];
  /**
   * Releases claims that had no accepted heartbeat for two thirds of their lease and no response to a later one, since
   * another runner may soon take them over. The run did not cause the outage, so its crash count does not increase.
   */
  readonly releaseStale: () => void;
}

/** Callbacks of claims. */
export interface HeldSignals {
  readonly onUrgent?: () => void;
  readonly onAccepted?: (executionId: string) => void;
}

interface Entry extends Held {
  renewedAt: number;
  /** Time at which an additional heartbeat was requested; undefined: none is pending. */
  recheckAt: number | undefined;
  isShared: boolean;
  isWaiting: boolean;
  readonly waiting: Waiting;
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
 * Delay of the first heartbeat, which reports that the run is active, so that a crash of its runner counts. Shorter
 * runs send none.
 */
const FIRST_BEAT_MS = 1_000;

/**
 * Delay before a heartbeat without a response is followed by another, at most a ninth of the lease. The next may go to
 * another replica, and a hanging one must not use up the lease.
 */
const NEXT_BEAT_MS = 1_000;

/** Time for which a run must have waited to be reported as waiting, and after which a heartbeat reports it. */
const WAITING_MS = 250;
const REPORT_WAITING_MS = 500;

/**
 * Maximum time in which a run that was reported as waiting is delayed afterwards. If executions is unavailable for
 * longer, the run continues, and is not suspected if it ends the process at that moment.
 */
const MAX_CONFIRM_MS = 500;

const nextBeatMs = ({ leaseMs }: Pick<Entry, 'leaseMs'>): number => Math.min(NEXT_BEAT_MS, leaseMs / 9);

const keyOf = ({ executionId, fence }: Pick<Held, 'executionId' | 'fence'>): string => `${executionId} ${fence}`;

/** Waits of one run. */
interface Waiting {
  readonly whileWaiting: Held['whileWaiting'];
  readonly isActive: () => void;
  /** Milliseconds for which the run has waited; 0: it does not wait. */
  readonly ms: () => number;
  readonly isReported: () => boolean;
  readonly report: () => void;
}

/** @param confirm sends a heartbeat at once; resolves when it was accepted */
const createWaiting = (clock: () => number, confirm: () => Promise<void>): Waiting => {
  let awaited = 0;
  let since = 0;
  let isReported = false;
  const resume = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const isLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, MAX_CONFIRM_MS)));
    await Promise.race([confirm(), isLate]);
    clearTimeout(timer);
    isReported = false;
  };
  return {
    whileWaiting: async (work) => {
      awaited += 1;
      since = clock();
      try {
        return await work();
      } finally {
        awaited -= 1;
        since = clock();
        if (isReported) await resume();
      }
    },
    isActive: () => {
      since = clock();
    },
    ms: () => (awaited === 0 ? 0 : clock() - since),
    isReported: () => isReported,
    report: () => {
      isReported = true;
    },
  };
};

/**
 * Holds the claims of one runner.
 * @param clock monotonic milliseconds; wall clocks are never compared with the service's.
 * @param signals `onUrgent`: called when a heartbeat is due at once; `onAccepted`: called with an execution when the
 * service accepted its claim, or a heartbeat or checkpoint of it
 */
export const createHeldExecutions = (
  clock: () => number,
  { onUrgent = () => undefined, onAccepted = () => undefined }: HeldSignals = {},
): HeldExecutions => {
  const entries = new InFlightMap<string, Entry>();
  const isWaitReportDue = ({ waiting }: Entry): boolean => !waiting.isReported() && waiting.ms() >= REPORT_WAITING_MS;
  const isLate = ({ renewedAt, leaseMs }: Entry): boolean => clock() - renewedAt > (leaseMs * 2) / 3;
  return {
    hold: (executionId, fence, leaseMs, sentAt, first) => {
      const firstLeaseMs = first?.ms ?? leaseMs;
      const controller = new AbortController();
      const waiting = createWaiting(clock, () =>
        controller.signal.aborted ? Promise.resolve() : entry.confirm(entry.isShared),
      );
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
        isWaiting: false,
        waiting,
        whileWaiting: waiting.whileWaiting,
        isActive: waiting.isActive,
        live: new LiveRun(),
        stored: () => onAccepted(executionId),
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
          entry.isWaiting = waiting.ms() >= WAITING_MS;
          if (entry.isWaiting) waiting.report();
          if (isLate(entry)) entry.lateAskedAt ??= entry.askedAt;
        },
        renew: (renewedAt) => {
          // Responses of two heartbeats may arrive in any order.
          entry.renewedAt = Math.max(entry.renewedAt, renewedAt);
          entry.lateAskedAt = undefined;
          entry.leaseMs = leaseMs;
          entry.dueMs = leaseMs / 3;
          // A heartbeat already in flight does not cover requests made after it was sent.
          if (entry.recheckAt !== undefined && entry.recheckAt <= renewedAt) entry.recheckAt = undefined;
          const { waiters } = entry;
          entry.waiters = waiters.filter(({ askedAt }) => askedAt > renewedAt);
          for (const { askedAt, resolve } of waiters) if (askedAt <= renewedAt) resolve();
          onAccepted(executionId);
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
            onUrgent();
          }),
        whenHeld: async () => {
          while (!controller.signal.aborted && clock() - entry.renewedAt >= entry.leaseMs)
            await entry.confirm(entry.isShared);
        },
      };
      entries.set(keyOf(entry), entry);
      onAccepted(executionId);
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
        return (
          (recheckAt !== undefined || now - renewedAt >= dueMs || isWaitReportDue(entry)) &&
          now - askedAt >= nextBeatMs(entry)
        );
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
