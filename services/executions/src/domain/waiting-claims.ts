import { MAX_WAITING_CLAIMS } from './limits';

/**
 * Waits until executions are offered.
 * @param most executions that are taken
 * @param signal fires when no caller waits for the answer any more
 * @returns their ids; none: the time is over, or this replica stops
 */
export type WaitForOffers = (most: number, ms: number, signal: AbortSignal) => Promise<readonly string[]>;

/** Claims of runners that wait for what this replica offers: they get it without a message to ask for it. */
export interface WaitingClaims {
  readonly wait: WaitForOffers;
  /** Gives executions to the claims that wait, in equal parts. @returns the ids for which none has room */
  readonly give: (executionIds: readonly string[]) => readonly string[];
  /** Ends all waits, and those to come at once. */
  readonly close: () => void;
}

interface Waiting {
  readonly most: number;
  readonly end: (executionIds: readonly string[]) => void;
}

/** No claims. */
export const createWaitingClaims = (): WaitingClaims => {
  /** The one that has waited longest comes first. */
  const waiting = new Set<Waiting>();
  let isClosed = false;
  return {
    wait: (most, ms, signal) => {
      if (isClosed || signal.aborted || waiting.size >= MAX_WAITING_CLAIMS) return Promise.resolve([]);
      return new Promise((resolve) => {
        const end = (executionIds: readonly string[]): void => {
          waiting.delete(claim);
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          resolve(executionIds);
        };
        const giveUp = (): void => end([]);
        const claim: Waiting = { most, end };
        const timer = setTimeout(giveUp, ms);
        signal.addEventListener('abort', giveUp);
        waiting.add(claim);
      });
    },
    give: (executionIds) => {
      let rest = executionIds;
      for (const { most, end } of [...waiting]) {
        if (rest.length === 0) break;
        const count = Math.min(most, Math.ceil(rest.length / waiting.size));
        end(rest.slice(0, count));
        rest = rest.slice(count);
      }
      return rest;
    },
    close: () => {
      isClosed = true;
      for (const { end } of [...waiting]) end([]);
    },
  };
};
