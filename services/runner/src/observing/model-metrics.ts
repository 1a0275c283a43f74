import { MODEL_LIMITS, type ModelCall, type ModelLimit, type ModelResponse, NodeFailure } from '@weft/engine';
import { PROVIDERS } from '@weft/models';
import { boundTo, createCounter, createHistogram } from '@weft/service-kit/metrics';

const OTHERS = [...PROVIDERS, 'other'] as const;
const providerOf = boundTo(OTHERS);

/** Values of the label `model`: patterns of the price file. Their number is bounded, also when the file changes. */
const MAX_MODELS = 500;
const NO_MODELS: readonly string[] = [];
const knownModels = new Set<string>();

const modelLabelOf = (pattern: string | undefined): string => {
  if (pattern === undefined) return 'other';
  if (knownModels.size < MAX_MODELS) knownModels.add(pattern);
  return knownModels.has(pattern) ? pattern : 'other';
};

const tokens = createCounter({
  name: 'weft_model_tokens_total',
  help: 'Tokens of calls of models, by the pattern of the price file that names the model.',
  labels: { provider: OTHERS, model: NO_MODELS, direction: ['input', 'output'] },
});

const OUTCOMES = ['success', 'error'] as const;

const seconds = createHistogram({
  name: 'weft_model_call_seconds',
  help: 'Duration of calls of models with their retries, in seconds.',
  labels: { provider: OTHERS, operation: ['chat', 'embeddings'], outcome: OUTCOMES },
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
});

const REASONS = [
  'unauthorized',
  'model_not_found',
  'not_found',
  'rate_limited',
  'quota_exceeded',
  'context_too_long',
  'content_filtered',
  'bad_request',
  'unsupported',
  'unavailable',
  'malformed_response',
  'truncated_response',
  'response_too_large',
  'timeout',
  'aborted',
  'refused',
  'unreachable',
  'other',
] as const;
const reasonIn = boundTo(REASONS);

/** Failures of connections by their codes. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'HOST_NOT_FOUND',
  'CONNECTION_REFUSED',
  'CONNECTION_LOST',
  'CERTIFICATE',
  'PROTOCOL',
  'TOO_MANY_REDIRECTS',
]);

/** Why a call of a model failed, as a word of a closed list. */
export const failureReasonOf = (thrown: unknown): (typeof REASONS)[number] => {
  if (!(thrown instanceof NodeFailure)) return 'aborted';
  const { modelError, code } = thrown.context ?? {};
  if (typeof modelError === 'string') return reasonIn(modelError.toLowerCase());
  if (typeof code !== 'string') return 'other';
  return UNREACHABLE.has(code) ? 'unreachable' : reasonIn(code.toLowerCase());
};

const failures = createCounter({
  name: 'weft_model_call_failures_total',
  help: 'Calls of models that failed, by reason.',
  labels: { reason: REASONS },
});

/** Records a call that was made. @param pattern of the price file that names the model */
export const noteModelCall = (
  { provider, operation }: ModelCall,
  { usage }: ModelResponse,
  ms: number,
  pattern: string | undefined,
): void => {
  const labels = { provider: providerOf(provider), model: modelLabelOf(pattern) };
  tokens.inc({ ...labels, direction: 'input' }, usage.inputTokens);
  tokens.inc({ ...labels, direction: 'output' }, usage.outputTokens);
  seconds.observe({ provider: labels.provider, operation, outcome: 'success' }, ms / 1_000);
};

/** Records a call that failed. */
export const noteFailedModelCall = (
  { provider, operation }: ModelCall,
  reason: (typeof REASONS)[number],
  ms: number,
): void => {
  seconds.observe({ provider: providerOf(provider), operation, outcome: 'error' }, ms / 1_000);
  failures.inc({ reason });
};

const limits = createCounter({
  name: 'weft_model_limits_total',
  help: 'Calls of models and tools that a limit refused, and nodes that a limit ended.',
  labels: { limit: MODEL_LIMITS },
});

/** Counts a limit that was reached. */
export const noteModelLimit = (limit: ModelLimit): void => limits.inc({ limit });

const steps = createHistogram({
  name: 'weft_agent_steps',
  help: 'Steps of a run of a node that can call tools.',
  labels: {},
  buckets: [1, 2, 3, 5, 10, 20, 50],
});

/** Records the steps of a node that has ended. */
export const noteAgentSteps = (count: number): void => steps.observe({}, count);
