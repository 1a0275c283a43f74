import type { Execution, NodeRun } from '@weft/client';
import { useQueries } from '@tanstack/react-query';
import { nodeRunQuery } from '../../api/queries';
import { isTerminal } from '../../ui/runs/run-state';
import { formatCount } from '../../ui/values/format';
import { memberOf } from '../../ui/values/json';
import type { Graph } from '../graph/definition';
import type { NodeRunRow } from './run-model';

/** Tokens that calls of models used. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** Node runs whose records are read to count the tokens of an execution. */
const MAX_READ = 24;

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

/** True for a node that may call models and that no other node calls: its usage includes that of its sub-nodes. */
const mayUseTokens = ({ kind, usesOthers, isUsed }: Graph['nodes'][number]): boolean =>
  !isUsed && (usesOthers || kind.startsWith('langchain.'));

/** Tokens of an ended execution; undefined without calls of models, and for one with too many runs to count. */
export const useTokens = (
  { id, state }: Execution,
  graph: Graph | undefined,
  rows: readonly NodeRunRow[],
): TokenUsage | undefined => {
  const names = new Set((graph?.nodes ?? []).filter(mayUseTokens).map(({ name }) => name));
  const indexes = rows.flatMap(({ node, executionIndex }) =>
    names.has(node) && executionIndex !== undefined ? [executionIndex] : [],
  );
  const isCounted = isTerminal(state) && indexes.length <= MAX_READ;
  const records = useQueries({ queries: isCounted ? indexes.map((index) => nodeRunQuery(id, index)) : [] });
  if (records.some(({ data }) => data === undefined)) return undefined;
  const usages = records.flatMap(({ data }) => (data === undefined ? [] : (usageOfRun(data) ?? [])));
  if (usages.length === 0) return undefined;
  return usages.reduce((sum, one) => ({ input: sum.input + one.input, output: sum.output + one.output }));
};
