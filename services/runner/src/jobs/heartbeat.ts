import type { Logger } from '@weft/service-kit/logging';
import type { ExecutionStore } from '../domain/execution-store';
import type { HeldExecutions } from '../domain/held-executions';

/** Maximum number of claims of one call. */
const MAX_CLAIMS = 500;

/**
 * Renews the claims that are due; a run that ends within a second costs no heartbeat.
 * A run the service no longer grants is aborted; so is one that could not be renewed in time, since
 * another runner may take it.
 */
export const createHeartbeat =
  (store: Pick<ExecutionStore, 'heartbeat'>, held: HeldExecutions, clock: () => number, logger: Logger) =>
  async (): Promise<void> => {
    const claims = held.due();
    for (let at = 0; at < claims.length; at += MAX_CLAIMS) {
      const part = claims.slice(at, at + MAX_CLAIMS);
      const sentAt = clock();
      try {
        const outcomes = await store.heartbeat(part);
        part.forEach((claim, index) => {
          const outcome = outcomes[index] ?? 'unknown';
          switch (outcome) {
            case 'held':
              return claim.renew(sentAt);
            case 'lost':
            case 'cancelled':
              return claim.abort(outcome);
            // Asked again at the next turn; without an answer in time it is stale.
            case 'unknown':
          }
        });
      } catch (error) {
        logger.warn({ err: error, claims: part.length }, 'heartbeat failed');
      }
    }
    held.abortStale();
  };
