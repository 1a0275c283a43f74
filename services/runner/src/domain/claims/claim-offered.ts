import { uuidv7 } from '@weft/service-kit/ids';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimAnswer, type ClaimPorts, isPassing } from './claim-until-answered';
import type { ClaimOffered, ClaimOfferedParams, ExecutionStore } from './held/execution-store';

/** Number of times that a claim without a response is sent again to its replica, and the delays in milliseconds. */
const MAX_REPEATS = 3;
const REPEAT_MS = 100;

/**
 * Sends a claim to a replica, and repeats it under the same id if there is no response: connections have a maximum age
 * and may close during a call, and a lost claim would block its executions until the lease expires.
 * @param send sends the claim, given the number of earlier attempts
 * @throws the last error
 */
const repeatedly = async <Answer>(send: (attempt: number) => Promise<Answer>): Promise<Answer> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await send(attempt);
    } catch (error) {
      if (attempt === MAX_REPEATS || !isPassing(error)) throw error;
    }
    await sleep(REPEAT_MS);
  }
};

/** Executions offered by a replica. */
export interface OfferedParams {
  readonly ids: readonly string[];
  readonly knownVersionIds: readonly string[];
  /** The replica that holds them. */
  readonly replica: Pick<ExecutionStore, 'claim'>;
}

/**
 * Claims offered executions at the replica that holds them. If it does not respond, claims at any other replica what it
 * has stored; the rest is left to the queue.
 * @returns undefined without any response
 */
export const createClaimOffered =
  ({ store, clock, warn }: Pick<ClaimPorts, 'store' | 'clock' | 'warn'>) =>
  ({ ids, knownVersionIds, replica }: OfferedParams): Promise<ClaimAnswer | undefined> => {
    const claimId = uuidv7();
    const claimAt = async (place: Pick<ExecutionStore, 'claim'>, attempt: number): Promise<ClaimAnswer> => {
      const sentAt = clock();
      return { outcome: await place.claim(ids, { claimId, attempt, isolated: false }, knownVersionIds), sentAt };
    };
    return repeatedly((attempt) => claimAt(replica, attempt))
      .catch(() => claimAt(store, MAX_REPEATS + 1))
      .catch((error: unknown) => {
        warn(error, 'offered executions could not be claimed; the queue has them if they exist');
        return undefined;
      });
  };

/** Claims of executions where they are offered. */
export interface WaitingParams extends Omit<ClaimOfferedParams, 'claimId' | 'attempt'> {
  /** Address of the replica. */
  readonly claimOffered: ClaimOffered;
}

/**
 * Waits until a replica offers executions, and claims them.
 * @returns undefined if it offered none
 * @throws ServiceError
 */
export const createWaitForOffers =
  (clock: ClaimPorts['clock']) =>
  ({ claimOffered, ...params }: WaitingParams): Promise<ClaimAnswer | undefined> => {
    const claimId = uuidv7();
    return repeatedly(async (attempt) => {
      const sentAt = clock();
      const offered = await claimOffered({ ...params, claimId, attempt });
      if (offered === undefined) return undefined;
      // The replica claimed after it had waited: counted from the request, the leases would be half over.
      return { outcome: offered.outcome, sentAt: sentAt + offered.waitedMs };
    });
  };
