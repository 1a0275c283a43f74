import { RunThread } from '@weft/engine';
import type { OverShareOwners } from '../domain/claims/shares/over-share-owners';
import type { RunEnvironment } from '../domain/run/environment';
import type { OpenHold } from '../watchdog/thread-word';
import { createThreadShares } from './thread-shares';

/** Total milliseconds of thread time, in small pieces, from which the owner of a run is over its share. */
export const LONG_THREAD_MS = 2_000;

/** Dependencies of sharing the thread. */
export interface ThreadAccountsParts {
  /** Receives owners whose runs use much thread time; absent: all runs stay here. */
  readonly overShareOwners?: OverShareOwners;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Publishes which run has the thread; absent: no watchdog looks at this process. */
  readonly openHold?: OpenHold;
}

/** Thread time of one run, and its consequences. */
export interface ThreadAccount {
  /**
   * Records the total thread time of the run in milliseconds.
   * @returns true if it must move at once, because its owner is over its share
   */
  readonly had: (ms: number) => boolean;
  /** Milliseconds that the run must pause because its owner exceeded its share and the run cannot move. */
  readonly restMs: () => number;
}

/** Tracks the thread time of all runs of one process. */
export const createThreadAccounts = ({
  overShareOwners,
  clock,
}: ThreadAccountsParts): ((ownerKey: string) => ThreadAccount) => {
  const shares = createThreadShares(clock);
  return (ownerKey) => {
    let hadMs = 0;
    let markedNextAt = LONG_THREAD_MS;
    shares.began(ownerKey);
    return {
      had: (ms) => {
        const hasTooMuch = shares.had(ownerKey, ms - hadMs);
        hadMs = ms;
        if (ms >= markedNextAt || hasTooMuch) {
          markedNextAt = ms + LONG_THREAD_MS;
          overShareOwners?.mark(ownerKey);
        }
        return overShareOwners?.has(ownerKey) === true;
      },
      restMs: () => (overShareOwners?.has(ownerKey) === true ? shares.restMs(ownerKey) : 0),
    };
  };
};

/** Shares the thread of this process among the runs of all owners. */
export const createOpenThread = (parts: ThreadAccountsParts): RunEnvironment['openThread'] => {
  const open = createThreadAccounts(parts);
  return ({ executionId, versionId, ownerKey, workflowId, signal, onTooLong, onActive }) => {
    const account = open(ownerKey);
    const hold = parts.openHold?.({ executionId, workflowId, versionId, ownerKey });
    return new RunThread({
      ownerKey,
      workflowId,
      signal,
      onTurn: (ms) => {
        onActive();
        if (account.had(ms)) onTooLong();
      },
      restMs: account.restMs,
      ...(hold === undefined ? {} : { hold }),
    });
  };
};
