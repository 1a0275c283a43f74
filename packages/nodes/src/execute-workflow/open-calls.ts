import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { NodeContext } from '@weft/engine';

/** Result of a call before the node began to wait: its execution, or the error. */
export type EarlierCall = { readonly executionId: string } | { readonly error: string };

const keyOf = (context: NodeContext): string => `calls:${context.node.name}`;

const readCall = (value: Json): EarlierCall[] => {
  if (!isJsonObject(value)) return [];
  if (typeof value['executionId'] === 'string') return [{ executionId: value['executionId'] }];
  return typeof value['error'] === 'string' ? [{ error: value['error'] }] : [];
};

/**
 * State stored by this attempt of this node run, if any. When the run continues with a later attempt, it skips the
 * failed ones.
 */
const keptBy = (context: NodeContext): JsonObject | undefined => {
  const kept = Object.hasOwn(context.runMemory, keyOf(context)) ? context.runMemory[keyOf(context)] : undefined;
  return isJsonObject(kept) && kept['run'] === context.runIndex && kept['attempt'] === context.attempt
    ? kept
    : undefined;
};

/**
 * The calls that this attempt had made when it began to wait, in the order of the items; it waited for the last one.
 * Empty if it did not wait.
 */
export const earlierCalls = (context: NodeContext): readonly EarlierCall[] => {
  const calls = keptBy(context)?.['calls'];
  return Array.isArray(calls) ? calls.flatMap(readCall) : [];
};

/** Stores the calls while the run waits for the last of them. */
export const keepCalls = (context: NodeContext, calls: readonly EarlierCall[]): void => {
  context.runMemory[keyOf(context)] = {
    run: context.runIndex,
    attempt: context.attempt,
    calls: calls.map((call) => ({ ...call })),
  };
};

/** Removes the calls of this attempt, since none are open. */
export const forgetCalls = (context: NodeContext): void => {
  if (keptBy(context) !== undefined) delete context.runMemory[keyOf(context)];
};
