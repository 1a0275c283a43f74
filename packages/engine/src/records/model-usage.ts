import { isJsonObject, type Json, type JsonObject, listField, numberField, objectField } from '@weft/node-catalogue';

/** Name of the counts among the state that all nodes of a run share. */
const MEMORY = 'models';

/** Models without a price that are named, and characters of a name. */
const MAX_UNPRICED = { names: 10, characters: 100 } as const;

/** Decimal places of a cost. */
const COST_PLACES = 1e6;

/** Calls and tokens of models in one execution. */
export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** As services count them: with tokens that are neither. */
  readonly totalTokens: number;
  /** In the currency of the prices; absent: no prices are known. */
  readonly cost?: number;
  /** Models that were called and have no price, at most 10. */
  readonly unpricedModels?: readonly string[];
}

/** Counts for the limits of an execution. */
export interface ModelCounts extends ModelUsage {
  readonly toolCalls: number;
}

/** The counts in the state that all nodes of a run share. */
export function readCounts(runMemory: JsonObject | undefined): ModelCounts {
  const stored = objectField(runMemory, MEMORY);
  const count = (name: string): number => numberField(stored, name) ?? 0;
  return {
    calls: count('modelCalls'),
    toolCalls: count('toolCalls'),
    inputTokens: count('inputTokens'),
    outputTokens: count('outputTokens'),
    totalTokens: count('tokens'),
    ...readCost(stored),
  };
}

/** Stores counts where {@link readCounts} finds them. */
export function writeCounts(runMemory: JsonObject, counts: ModelCounts): void {
  const { calls, totalTokens, unpricedModels, ...rest } = counts;
  runMemory[MEMORY] = {
    ...rest,
    modelCalls: calls,
    tokens: totalTokens,
    ...(unpricedModels === undefined ? {} : { unpricedModels: [...unpricedModels] }),
  };
}

/** The state of a failed run for its retry, which counts from zero. */
export function withoutCounts({ [MEMORY]: _counts, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** Calls and tokens of models of a run so far; undefined if it called none. */
export function modelUsageOf(runMemory: JsonObject | undefined): ModelUsage | undefined {
  if (runMemory?.[MEMORY] === undefined) return undefined;
  const { toolCalls: _toolCalls, ...usage } = readCounts(runMemory);
  return usage.calls === 0 ? undefined : shownUsage(usage);
}

/** With a cost as it is shown. */
function shownUsage(usage: ModelUsage): ModelUsage {
  return usage.cost === undefined ? usage : { ...usage, cost: roundedCost(usage.cost) };
}

/** A cost with six decimal places. */
export function roundedCost(cost: number): number {
  return Math.round(cost * COST_PLACES) / COST_PLACES;
}

/** Names of models without a price, with another one. */
export function withUnpriced(known: readonly string[] = [], model: string): readonly string[] {
  const name = model.slice(0, MAX_UNPRICED.characters);
  return known.includes(name) || known.length >= MAX_UNPRICED.names ? known : [...known, name];
}

/** Tokens that models used in one run of a node, and what they cost. */
export interface RunUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Absent: no prices are known. */
  readonly cost?: number;
  readonly unpricedModels?: readonly string[];
}

/** The tokens of two parts of a run. */
export function addUsage(one: RunUsage | undefined, other: RunUsage): RunUsage {
  if (one === undefined) return other;
  const unpriced = (other.unpricedModels ?? []).reduce(withUnpriced, one.unpricedModels ?? []);
  const cost = one.cost === undefined && other.cost === undefined ? undefined : (one.cost ?? 0) + (other.cost ?? 0);
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    ...(cost === undefined ? {} : { cost }),
    ...(unpriced.length === 0 ? {} : { unpricedModels: unpriced }),
  };
}

/** Reads stored tokens; undefined for anything else. */
export function readUsage(value: Json | undefined): RunUsage | undefined {
  if (!isJsonObject(value)) return undefined;
  const { inputTokens, outputTokens } = value;
  if (typeof inputTokens !== 'number' || typeof outputTokens !== 'number') return undefined;
  return { inputTokens, outputTokens, ...readCost(value) };
}

/** The stored cost, and the names of models without a price. */
function readCost(stored: JsonObject | undefined): Pick<ModelUsage, 'cost' | 'unpricedModels'> {
  const cost = numberField(stored, 'cost');
  const unpriced = listField(stored, 'unpricedModels').filter((name) => typeof name === 'string');
  return {
    ...(cost === undefined ? {} : { cost }),
    ...(unpriced.length === 0 ? {} : { unpricedModels: unpriced }),
  };
}
