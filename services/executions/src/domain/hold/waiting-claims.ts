import { InFlightMap } from '@weft/service-kit/in-flight';
import { MAX_KEPT_CLAIMS, MAX_WAITING_CLAIMS } from '../state/limits';

/**
 * Executions that a claim is given at least, if there are so many. What comes together shares an answer, a claim and a
 * report: divided among many runners, each run costs more. So many are few enough for one runner.
 */
export const LEAST_PART = 8;

/** A claim that waits for offers. */
export interface WaitingClaim {
  readonly claimId: string;
  /** Executions that it takes at most. */
  readonly most: number;
  /** Milliseconds for which it waits. */
  readonly ms: number;
  /** Fires when no caller waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What claims that wait get. */
export interface OffersForClaims {
  /** Waits until executions are offered. @returns their ids; none: the time is over, or this replica stops */
  readonly wait: (claim: WaitingClaim) => Promise<readonly string[]>;
  /** The ids that a claim was given whose answer was lost. It waits no longer, if it still did. */
  readonly givenTo: (claimId: string) => readonly string[];
}

/** Claims of runners that wait for what this replica offers: they get it without a message to ask for it. */
export interface WaitingClaims extends OffersForClaims {
  /**
   * Gives executions to the claims that wait, in equal parts of {@link LEAST_PART} or more, the longest wait first.
   * @returns the ids for which none has room
   */
  readonly give: (executionIds: readonly string[]) => readonly string[];
  /** Ends all waits, and those to come at once. */
  readonly close: () => void;
}

interface Waiting {
  readonly most: number;
  readonly end: (executionIds: readonly string[]) => void;
}

export const createWaitingClaims = (): WaitingClaims => {
  /** By their ids; the one that has waited longest comes first. */
  const waiting = new InFlightMap<string, Waiting>();
  /** What the last claims were given. */
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
