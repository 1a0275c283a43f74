import { uuidv7 } from '@weft/service-kit/ids';
import type { ClaimAnswer, ClaimPorts } from './claim-until-answered';
import type { ExecutionStore } from './execution-store';

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
