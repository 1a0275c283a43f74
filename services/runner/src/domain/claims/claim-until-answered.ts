import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import type { ClaimOutcome, ExecutionStore } from './held/execution-store';

/** A response to a claim, and when its request was sent: no lease in it began earlier. */
export interface ClaimAnswer {
  readonly outcome: ClaimOutcome;
  /** By the claims clock. */
  readonly sentAt: number;
}

/** Result of a claim. */
export interface ClaimResult {
  readonly answers: readonly ClaimAnswer[];
  /** Ids without a response. */
  readonly unanswered: readonly string[];
}

/** Dependencies of claiming. */
export interface ClaimPorts {
  readonly store: Pick<ExecutionStore, 'claim'>;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  /** Fires when the process stops: nothing is repeated after that. */
  readonly stopping: AbortSignal;
  readonly warn: (error: unknown, text: string) => void;
}

/** Executions to claim. */
export interface ClaimParams {
  readonly ids: readonly string[];
  readonly isolated: boolean;
  readonly knownVersionIds: readonly string[];
}

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;

/** True if there was no response: the claim may have been carried out. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof ServiceError) || error.kind === 'unavailable' || error.kind === 'timeout';

/**
 * Claims executions, and repeats the claim under the same id until the service has responded: a later response includes
 * what an earlier attempt has claimed. If the service cannot handle a list, it is sent in halves, so that one bad
 * execution delays no other.
 */
export const createClaimUntilAnswered = ({ store, clock, stopping, warn }: ClaimPorts) => {
  const send = async (
    claimId: string,
    { ids, isolated, knownVersionIds }: ClaimParams,
    firstAttempt: number,
  ): Promise<ClaimResult> => {
    let delayMs = FIRST_DELAY_MS;
    for (let attempt = firstAttempt; ; attempt += 1) {
      const sentAt = clock();
      try {
        return {
          answers: [{ outcome: await store.claim(ids, { claimId, attempt, isolated }, knownVersionIds), sentAt }],
          unanswered: [],
        };
      } catch (error) {
        if (attempt === firstAttempt) warn(error, 'claiming failed; the claim is repeated');
        if (stopping.aborted) return { answers: [], unanswered: ids };
        if (!isPassing(error)) return sendHalves(claimId, { ids, isolated, knownVersionIds }, attempt + 1);
      }
      // An abort ends the wait; the claim is then sent one last time.
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
