import { uuidv7 } from '@weft/service-kit/ids';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimAnswer, type ClaimPorts, isPassing } from './claim-until-answered';
import type { ClaimOffered, ClaimOfferedParams, ExecutionStore } from './execution-store';

/** Times that a claim without an answer is sent to its replica again, and milliseconds before each. */
const MAX_REPEATS = 3;
const REPEAT_MS = 100;

/**
 * Sends a claim to a replica, and again under the same id if it gets no answer: connections end at their age, also
 * right below an answer, and what it has won would wait for the end of a lease.
 * @param send one sending, with the number of those before it
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

/** Executions that a replica has offered. */
export interface OfferedParams {
  readonly ids: readonly string[];
  readonly knownVersionIds: readonly string[];
  /** The replica that holds them. */
  readonly replica: Pick<ExecutionStore, 'claim'>;
}

/**
 * Claims what was offered at the replica that holds it. If that does not answer, whatever it stored before is claimed
 * at any other; what nobody answers for is left to the queue.
 * @returns undefined if nobody answered
 */
export const createClaimOffered =
  ({ store, clock, warn }: Pick<ClaimPorts, 'store' | 'clock' | 'warn'>) =>
  ({ ids, knownVersionIds, replica }: OfferedParams): Promise<ClaimAnswer | undefined> => {
    const claimId = uuidv7();
    const claimAt = async (place: Pick<ExecutionStore, 'claim'>, attempt: number): Promise<ClaimAnswer> => {
      const sentAt = clock();
      return { outcome: await place.claim(ids, { claimId, attempt, alone: false }, knownVersionIds), sentAt };
    };
    return repeatedly((attempt) => claimAt(replica, attempt))
      .catch(() => claimAt(store, MAX_REPEATS + 1))
      .catch((error: unknown) => {
        warn(error, 'offered executions could not be claimed; the queue has them if they exist');
        return undefined;
      });
  };

/** What is claimed where executions are offered. */
export interface WaitingParams extends Omit<ClaimOfferedParams, 'claimId' | 'attempt'> {
  /** Of the replica. */
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
      // It claimed after it had waited: leases that were counted from its sending would be half over.
      return { outcome: offered.outcome, sentAt: sentAt + offered.waitedMs };
    });
  };
