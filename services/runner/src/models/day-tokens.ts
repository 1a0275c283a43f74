import type { DayTokens } from '@weft/engine';
import type { ClaimedExecution } from '../domain/claims/claimed-execution';
import type { ExecutionStore } from '../domain/claims/held/execution-store';
import type { RunWays } from '../domain/run/environment';

/**
 * Counts tokens of models for the owner of a run, at the executions service. While the service cannot be reached, calls
 * of models wait for it as all calls of a run to other services do: none is made without being counted.
 * @param limit tokens that an owner may use in a day; 0: no limit, and nothing is counted
 */
export const dayTokensOf = (
  claim: ClaimedExecution,
  store: Pick<ExecutionStore, 'countModelTokens'>,
  { barrier, reach, whileWaiting }: Pick<RunWays, 'barrier' | 'reach' | 'whileWaiting'>,
  limit: number,
): { readonly dayTokens?: DayTokens } => {
  if (limit === 0) return {};
  return {
    dayTokens: {
      reserve: async (tokens) => {
        await barrier();
        const { counted, used, resetAt } = await whileWaiting(() =>
          reach(() => store.countModelTokens(claim, tokens, limit)),
        );
        return counted ? undefined : { used, limit, resetAt };
      },
      settle: async (tokens) => {
        await whileWaiting(() => reach(() => store.countModelTokens(claim, tokens)));
      },
    },
  };
};
