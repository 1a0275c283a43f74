import type { NodeRun } from '@weft/client';
import { formatCount } from '../../ui/values/format';
import { memberOf } from '../../ui/values/json';

/** Tokens that calls of models used. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

const usageOf = (value: unknown, input: string, output: string): TokenUsage | undefined => {
  const [used, made] = [memberOf(value, input), memberOf(value, output)];
  return typeof used === 'number' && typeof made === 'number' ? { input: used, output: made } : undefined;
};

/** Tokens of a node run and of its sub-nodes; undefined if it called no model. */
export const usageOfRun = (run: Pick<NodeRun, 'metadata'>): TokenUsage | undefined =>
  usageOf(run.metadata?.['tokenUsage'], 'inputTokens', 'outputTokens');

/** Tokens of a call, from the output of the model; an estimate if the service reported none. */
export const usageOfCall = (
  json: unknown,
): { readonly usage: TokenUsage; readonly isEstimate: boolean } | undefined => {
  const reported = usageOf(memberOf(json, 'tokenUsage'), 'promptTokens', 'completionTokens');
  if (reported !== undefined) return { usage: reported, isEstimate: false };
  const estimate = usageOf(memberOf(json, 'tokenUsageEstimate'), 'promptTokens', 'completionTokens');
  return estimate === undefined ? undefined : { usage: estimate, isEstimate: true };
};

/** Such as `120 tokens in, 24 out`. */
export const usageText = ({ input, output }: TokenUsage): string =>
  `${formatCount(input)} tokens in, ${formatCount(output)} out`;
