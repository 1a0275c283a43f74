import { InFlightMap } from '@weft/service-kit/in-flight';
import { MAX_KEPT_CLAIMS, MAX_WAITING_CLAIMS } from '../state/limits';

/**
 * Minimum number of executions given to a claim, if there are enough. Executions in one claim share a response and a
 * report, so dividing them among many runners costs more per run. This many are few enough for one runner.
 */
export const LEAST_PART = 8;

/** A claim that waits for offers. */
export interface WaitingClaim {
  readonly claimId: string;
  /** Maximum number of executions. */
  readonly most: number;
  /** Milliseconds to wait. */
  readonly ms: number;
  /** Fires when no caller waits for the response any more. */
  readonly signal: AbortSignal;
}

/** Result of a waiting claim. */
export interface OffersForClaims {
  /** Waits until executions are offered. @returns their ids; empty: the time is over, or this replica stops */
  readonly wait: (claim: WaitingClaim) => Promise<readonly string[]>;
  /** The ids of a claim whose response was lost. If it still waits, its wait ends. */
  readonly givenTo: (claimId: string) => readonly string[];
}

/** Claims of runners that wait for executions of this replica, which saves a message. */
export interface WaitingClaims extends OffersForClaims {
  /**
   * Gives executions to the waiting claims, in equal parts of at least {@link LEAST_PART}, the longest wait first.
   * @returns the ids without a claim
   */
  readonly give: (executionIds: readonly string[]) => readonly string[];
  /** Ends all waits; later ones end at once. */
  readonly close: () => void;
}

interface Waiting {
  readonly most: number;
  readonly end: (executionIds: readonly string[]) => void;
}

export const createWaitingClaims = (): WaitingClaims => {
  /** By id; the one that has waited longest comes first. */
  const waiting = new InFlightMap<string, Waiting>();
  /** Runs given to the last claims, by claim id. */
  const given = new Map<string, readonly string[]>();
  let isClosed = false;
  const keep = (claimId: string, executionIds: readonly string[]): void => {
    given.set(claimId, executionIds);
    if (given.size <= MAX_KEPT_CLAIMS) return;
    const [oldest = ''] = given.keys();
    given.delete(oldest);
  };
  return {
    wait: ({ claimId, most, ms, signal }) => {
      if (isClosed || signal.aborted || waiting.size >= MAX_WAITING_CLAIMS || waiting.has(claimId))
        return Promise.resolve([]);
      return new Promise((resolve) => {
        const end = (executionIds: readonly string[]): void => {
          waiting.delete(claimId);
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          if (executionIds.length > 0) keep(claimId, executionIds);
          resolve(executionIds);
        };
        const giveUp = (): void => end([]);
        const timer = setTimeout(giveUp, ms);
        signal.addEventListener('abort', giveUp);
        waiting.set(claimId, { most, end });
      });
    },
    givenTo: (claimId) => {
      waiting.get(claimId)?.end([]);
      return given.get(claimId) ?? [];
    },
    give: (executionIds) => {
      let rest = executionIds;
      for (const { most, end } of [...waiting.values()]) {
        if (rest.length === 0) break;
        const count = Math.min(most, Math.max(LEAST_PART, Math.ceil(rest.length / waiting.size)));
        end(rest.slice(0, count));
        rest = rest.slice(count);
      }
      return rest;
    },
    close: () => {
      isClosed = true;
      for (const { end } of [...waiting.values()]) end([]);
    },
  };
};
