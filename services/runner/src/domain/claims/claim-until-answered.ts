import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import type { ClaimOutcome, ExecutionStore } from './execution-store';

/** An answer to a claim, and when the sending that it answers went out: no lease in it is older. */
export interface ClaimAnswer {
  readonly outcome: ClaimOutcome;
  /** By the clock of the claims. */
  readonly sentAt: number;
}

/** Result of a claim. */
export interface ClaimResult {
  readonly answers: readonly ClaimAnswer[];
  /** Ids without an answer. */
  readonly unanswered: readonly string[];
}

/** Dependencies of claiming. */
export interface ClaimPorts {
  readonly store: Pick<ExecutionStore, 'claim'>;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** Fires when the process stops: nothing is sent again then. */
  readonly stopping: AbortSignal;
  readonly warn: (error: unknown, text: string) => void;
}

/** Executions to claim. */
export interface ClaimParams {
  readonly ids: readonly string[];
  readonly alone: boolean;
  readonly knownVersionIds: readonly string[];
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;

/** True if nothing was answered: the claim may have been carried out. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ServiceError) || error.kind === 'unavailable' || error.kind === 'timeout';

/**
 * Claims executions, and repeats the claim under the same id until the service has answered it: what an earlier sending
 * has won comes with the answer to a later one. A list that the service cannot answer is sent in halves, so
 * that one execution that it cannot return delays no other.
 */
export const createClaimUntilAnswered = ({ store, clock, stopping, warn }: ClaimPorts) => {
  const send = async (
    claimId: string,
    { ids, alone, knownVersionIds }: ClaimParams,
    firstAttempt: number,
  ): Promise<ClaimResult> => {
    let delayMs = FIRST_DELAY_MS;
    for (let attempt = firstAttempt; ; attempt += 1) {
      const sentAt = clock();
      try {
        return {
          answers: [{ outcome: await store.claim(ids, { claimId, attempt, alone }, knownVersionIds), sentAt }],
          unanswered: [],
        };
      } catch (error) {
        if (attempt === firstAttempt) warn(error, 'claiming failed; the claim is repeated');
        if (stopping.aborted) return { answers: [], unanswered: ids };
        if (!isPassing(error)) return sendHalves(claimId, { ids, alone, knownVersionIds }, attempt + 1);
      }
      // An abort ends the wait; the claim is then sent a last time.
      await sleep(delayMs, undefined, { signal: stopping }).catch(() => undefined);
      delayMs = Math.min(2 * delayMs, MAX_DELAY_MS);
    }
  };
  const sendHalves = async (claimId: string, { ids, ...rest }: ClaimParams, attempt: number): Promise<ClaimResult> => {
    if (ids.length <= 1) return { answers: [], unanswered: ids };
    const middle = Math.ceil(ids.length / 2);
    const [left, right] = await Promise.all(
      [ids.slice(0, middle), ids.slice(middle)].map((part) => send(claimId, { ...rest, ids: part }, attempt)),
    );
    return {
      answers: [...(left?.answers ?? []), ...(right?.answers ?? [])],
      unanswered: [...(left?.unanswered ?? []), ...(right?.unanswered ?? [])],
    };
  };
  return (request: ClaimParams): Promise<ClaimResult> => send(uuidv7(), request, 0);
};
