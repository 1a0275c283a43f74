import type { ModelObserver, ModelPorts } from '@weft/engine';
import type { ClaimedExecution } from '../domain/claims/claimed-execution';
import type { ExecutionStore } from '../domain/claims/held/execution-store';
import type { RunWays } from '../domain/run/environment';
import { createModelObserver } from '../observing/model-spans';
import { dayTokensOf } from './day-tokens';
import { currentPrices } from './model-prices';

/** Settings of the runner for models. Prices may change while it runs. */
export interface ModelConfig {
  readonly modelTokensPerDay: number;
  readonly modelPrices: string;
  readonly traceModelContent: boolean;
}

/** The ports of calls of models, for every run of this process. */
export const createModelPorts = (
  config: ModelConfig,
  store: Pick<ExecutionStore, 'countModelTokens'>,
): ((claim: ClaimedExecution, ways: RunWays) => ModelPorts) => {
  const prices = currentPrices(() => config.modelPrices);
  const observer: ModelObserver = createModelObserver({
    patternOf: (model) => prices()?.patternOf(model),
    tracesContent: config.traceModelContent,
  });
  return (claim, ways) => {
    const known = prices();
    return {
      observer,
      ...(known === undefined ? {} : { priceOf: known.priceOf }),
      ...dayTokensOf(claim, store, ways, config.modelTokensPerDay),
    };
  };
};
