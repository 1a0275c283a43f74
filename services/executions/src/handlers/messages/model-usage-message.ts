import type { ModelUsage as UsageMessage } from '@weft/proto/executions';
import type { ModelUsage } from '../../domain/state/execution';

/** Models that are named, and characters of a name. */
const MAX_NAMES = 10;
const MAX_NAME = 100;

/** Converts calls and tokens of models. */
export const toModelUsageMessage = ({ unpricedModels = [], ...usage }: ModelUsage): UsageMessage => ({
  ...usage,
  unpricedModels: [...unpricedModels],
});

/** The calls and tokens in a message of a runner, bounded. */
export const fromModelUsageMessage = ({
  calls,
  inputTokens,
  outputTokens,
  totalTokens,
  cost,
  unpricedModels,
}: UsageMessage): ModelUsage => ({
  calls,
  inputTokens,
  outputTokens,
  totalTokens,
  ...(cost === undefined || !Number.isFinite(cost) ? {} : { cost }),
  ...(unpricedModels.length === 0
    ? {}
    : { unpricedModels: unpricedModels.slice(0, MAX_NAMES).map((name) => name.slice(0, MAX_NAME)) }),
});
