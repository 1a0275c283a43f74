import { RunThread } from '@weft/engine';
import type { HeavyOwners } from '../domain/claims/heavy-owners';
import type { RunEnvironment } from '../domain/run/environment';
import { createThreadShares } from './thread-shares';

/** Milliseconds that a run has the thread in all, a few at a time, until it is as heavy as one with large data. */
export const LONG_THREAD_MS = 2_000;

/** Dependencies of sharing the thread. */
export interface RunThreadsParts {
  /** Learns of owners whose runs have the thread for long; absent: all runs stay here. */
  readonly heavyOwners?: HeavyOwners;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

/** Thread time of one run, and what follows from it. */
export interface ThreadAccount {
  /**
   * Notes how many milliseconds the run has had the thread in all.
   * @returns true if it is to go on elsewhere at once: its owner is heavy
   */
  readonly had: (ms: number) => boolean;
  /** Milliseconds for which the run leaves the thread to others: it cannot leave, and its owner has had too much. */
  readonly restMs: () => number;
}

/** Tracks the thread time of all runs of one process. */
export const createThreadAccounts = ({
  heavyOwners,
  clock,
}: RunThreadsParts): ((ownerKey: string) => ThreadAccount) => {
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
          heavyOwners?.mark(ownerKey);
        }
        return heavyOwners?.has(ownerKey) === true;
      },
      restMs: () => (heavyOwners?.has(ownerKey) === true ? shares.restMs(ownerKey) : 0),
    };
  };
};

/** Shares the thread of this process among the runs of all owners. */
export const createOpenThread = (parts: RunThreadsParts): RunEnvironment['openThread'] => {
  const open = createThreadAccounts(parts);
  return ({ ownerKey, workflowId, signal, onTooLong }) => {
    const account = open(ownerKey);
    return new RunThread({
      ownerKey,
      workflowId,
      signal,
      onTurn: (ms) => {
        if (account.had(ms)) onTooLong();
      },
      restMs: account.restMs,
    });
  };
};
