/** Why a run is aborted from outside. `release`: what it needs cannot be reached now. */
export type AbortReason = 'lost' | 'cancelled' | 'drain' | 'release';

/** A claim that this runner holds. */
export interface Held {
  readonly executionId: string;
  readonly fence: number;
  /** Fires with an AbortReason. */
  readonly signal: AbortSignal;
  readonly abort: (reason: AbortReason) => void;
  /** Told by every accepted heartbeat. */
  readonly renew: () => void;
}

/** All claims of this runner. */
export interface HeldExecutions {
  readonly hold: (executionId: string, fence: number, leaseMs: number) => Held;
  readonly release: (held: Held) => void;
  readonly all: () => readonly Held[];
  /** Makes the claims on these executions due at once. @returns whether there are any. */
  readonly recheck: (executionIds: readonly string[]) => boolean;
  /** Those whose lease was last renewed a third of it ago or longer, and those that are to be rechecked. */
  readonly due: () => readonly Held[];
  /** Aborts what had no accepted heartbeat for two thirds of its lease: another runner may take it soon. */
  readonly abortStale: () => void;
}

interface Entry extends Held {
  renewedAt: number;
  isRechecked: boolean;
  readonly leaseMs: number;
}

const keyOf = ({ executionId, fence }: Pick<Held, 'executionId' | 'fence'>): string => `${executionId} ${fence}`;

/**
 * Keeps the claims of one runner.
 * @param clock milliseconds that only grow; wall clocks are never compared with the service's.
 */
export const createHeldExecutions = (clock: () => number): HeldExecutions => {
  const entries = new Map<string, Entry>();
  return {
    hold: (executionId, fence, leaseMs) => {
      const controller = new AbortController();
      const entry: Entry = {
        executionId,
        fence,
        leaseMs,
        signal: controller.signal,
        renewedAt: clock(),
        isRechecked: false,
        abort: (reason) => controller.abort(reason),
        renew: () => {
          entry.renewedAt = clock();
          entry.isRechecked = false;
        },
      };
      entries.set(keyOf(entry), entry);
      return entry;
    },
    release: (held) => void entries.delete(keyOf(held)),
    all: () => [...entries.values()],
    recheck: (executionIds) => {
      const ids = new Set(executionIds);
      const found = [...entries.values()].filter(({ executionId }) => ids.has(executionId));
      for (const entry of found) entry.isRechecked = true;
      return found.length > 0;
    },
    due: () => {
      const now = clock();
      return [...entries.values()].filter((entry) => entry.isRechecked || now - entry.renewedAt >= entry.leaseMs / 3);
    },
    abortStale: () => {
      const now = clock();
      for (const entry of entries.values()) if (now - entry.renewedAt > (entry.leaseMs * 2) / 3) entry.abort('lost');
    },
  };
};
