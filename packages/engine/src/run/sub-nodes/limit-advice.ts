import { LIMITS } from '@weft/service-kit/limits';
import type { ModelLimit } from '../../node/model-calls';

const FIXED = 'This limit is fixed: let sub-workflows do parts of the work, as each execution has its own counts.';

const ADVICE: Readonly<Record<ModelLimit, string>> = {
  MODEL_CALLS: FIXED,
  TOOL_CALLS: FIXED,
  MODEL_TOKENS: FIXED,
  MAX_TOKENS: `To allow more, raise settings.models.maxTokens of the workflow, to at most ${LIMITS.modelTokens.max}.`,
  MAX_COST: 'To allow more, raise settings.models.maxCost of the workflow.',
  MODEL_TOKENS_PER_DAY: 'The operator of the instance can raise MODEL_TOKENS_PER_DAY.',
  AGENT_STEPS: 'Give the node fewer items at a time, or say in the prompt when to stop.',
  AGENT_TIME: 'This limit is fixed: give the node quicker tools, or let sub-workflows do parts of the work.',
  AGENT_STATE_BYTES: 'This limit is fixed: let tools return less, or split the work.',
};

/** A sentence that tells the owner of a workflow how to raise or avoid a limit. */
export const limitAdvice = (limit: ModelLimit): string => ADVICE[limit];
