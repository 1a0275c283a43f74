import { uuidv7 } from '@weft/service-kit/ids';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClaimAnswer, type ClaimPorts, isPassing } from './claim-until-answered';
import type { ClaimOffered, ClaimOfferedParams, ExecutionStore } from './execution-store';

/** Executions that a replica has offered. */
export interface OfferedParams {
  readonly ids: readonly string[];
  readonly knownVersionIds: readonly string[];
  /** The replica that holds them. */
  readonly replica: Pick<ExecutionStore, 'claim'>;
}

/**
 * Claims what was offered at the replica that holds it. If that cannot be reached, whatever it stored before is claimed
 * at any other; what nobody answers for is left to the queue.
 * @returns undefined if nobody answered
 */
export const createClaimOffered =
  ({ store, clock, warn }: Pick<ClaimPorts, 'store' | 'clock' | 'warn'>) =>
  async ({ ids, knownVersionIds, replica }: OfferedParams): Promise<ClaimAnswer | undefined> => {
    const claimId = uuidv7();
    for (const [attempt, place] of [replica, store].entries()) {
      const sentAt = clock();
      try {
        return { outcome: await place.claim(ids, { claimId, attempt, alone: false }, knownVersionIds), sentAt };
      } catch (error) {
        if (attempt === 1) warn(error, 'offered executions could not be claimed; the queue has them if they exist');
      }
    }
    return undefined;
  };

/** What is claimed where executions are offered. */
export interface WaitingParams extends Omit<ClaimOfferedParams, 'claimId' | 'attempt'> {
  /** Of the replica. */
  readonly claimOffered: ClaimOffered;
}

/** Times that a claim without an answer is sent again, and milliseconds before each. */
const MAX_REPEATS = 3;
const REPEAT_MS = 100;

/**
 * Waits until a replica offers executions, and claims them. A claim without an answer is repeated there under the same
 * id: connections end at their age, also right below an answer, and what it has won would wait for the end of a lease.
 * @returns undefined if it offered none
 * @throws ServiceError
 */
export const createWaitForOffers =
  (clock: ClaimPorts['clock']) =>
  async ({ claimOffered, ...params }: WaitingParams): Promise<ClaimAnswer | undefined> => {
    const claimId = uuidv7();
    for (let attempt = 0; ; attempt += 1) {
      const sentAt = clock();
      try {
        const offered = await claimOffered({ ...params, claimId, attempt });
        if (offered === undefined) return undefined;
        // It claimed after it had waited: leases that were counted from its sending would be half over.
        return { outcome: offered.outcome, sentAt: sentAt + offered.waitedMs };
      } catch (error) {
        if (attempt === MAX_REPEATS || !isPassing(error)) throw error;
      }
      await sleep(REPEAT_MS);
    }
  };
