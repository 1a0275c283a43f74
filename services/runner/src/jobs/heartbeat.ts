import { WorkUnderWay } from '@weft/service-kit/in-flight';
import { createFaultLog, type Logger } from '@weft/service-kit/logging';
import type { ExecutionStore } from '../domain/claims/held/execution-store';
import type { FollowedRuns } from '../domain/claims/followed-runs';
import type { Held, HeldExecutions } from '../domain/claims/held/held-executions';

/** Maximum number of claims per call. */
const MAX_CLAIMS = 500;

/** Maximum number of calls in flight. */
const MAX_CALLS = 16;

const NOT_FOLLOWED: Pick<FollowedRuns, 'due' | 'progressOf' | 'failed'> = {
  due: () => [],
  progressOf: () => undefined,
  failed: () => undefined,
};

/** Renews the claims of a runner. */
export interface Heartbeat {
  /**
   * Sends what is due without waiting for the responses: a hanging replica must not use up the leases. A run that ends
   * within a second sends no heartbeat.
   */
  readonly beat: () => void;
  /** Sends progress of followed runs that is due. */
  readonly beatFollowed: () => void;
  /** Resolves when no call is in flight. */
  readonly whenIdle: () => Promise<void>;
}

/**
 * Creates the heartbeat of a runner. Aborts a run whose claim the service no longer grants; releases one that could not
 * be renewed in time, since another runner may take it over.
 */
export const createHeartbeat = (
  store: Pick<ExecutionStore, 'heartbeat'>,
  held: Pick<HeldExecutions, 'due' | 'releaseStale'>,
  clock: () => number,
  logger: Logger,
  followed: Pick<FollowedRuns, 'due' | 'progressOf' | 'failed'> = NOT_FOLLOWED,
): Heartbeat => {
  const calls = new WorkUnderWay();
  const faults = createFaultLog(logger, 'heartbeat failed');
  const renew = async (claims: readonly Held[]): Promise<void> => {
    const sentAt = clock();
    const sent = claims.map((claim) => {
      const { executionId, fence, isShared, isWaiting } = claim;
      const progress = followed.progressOf(claim);
      return { executionId, fence, isShared, isWaiting, ...(progress === undefined ? {} : { progress }) };
    });
    try {
      const outcomes = await store.heartbeat(sent);
      faults.worked();
      claims.forEach((claim, index) => {
        const outcome = outcomes[index] ?? 'unknown';
        if (outcome !== 'held' && sent[index]?.progress !== undefined) followed.failed(claim);
        switch (outcome) {
          case 'held':
            return claim.renew(sentAt);
          case 'lost':
            return claim.lost();
          case 'cancelled':
            return claim.abort(outcome);
          // Asked again soon; without a response in time it counts as lost.
          case 'unknown':
        }
      });
    } catch (error) {
      claims.forEach((claim, index) => {
        if (sent[index]?.progress !== undefined) followed.failed(claim);
      });
      faults.failed({ err: error, claims: claims.length });
    }
  };
  const send = (claims: readonly Held[]): void => {
    for (let at = 0; at < claims.length && calls.size < MAX_CALLS; at += MAX_CLAIMS) {
      const part = claims.slice(at, at + MAX_CLAIMS);
      for (const claim of part) claim.asked();
      void calls.track(renew(part));
    }
  };
  return {
    beat: () => {
      held.releaseStale();
      send(held.due());
    },
    beatFollowed: () => send(followed.due()),
    whenIdle: async () => {
      await Promise.all(calls);
    },
  };
};
