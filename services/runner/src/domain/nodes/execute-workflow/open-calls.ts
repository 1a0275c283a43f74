import type { Json } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { NodeContext } from '../../engine/node';

/** What came of a call before the node began to wait: the execution it gave, or why there is none. */
export type EarlierCall = { readonly executionId: string } | { readonly error: string };

const keyOf = (context: NodeContext): string => `calls:${context.node.name}`;

const readCall = (value: Json): EarlierCall[] => {
  if (!isJsonObject(value)) return [];
  if (typeof value['executionId'] === 'string') return [{ executionId: value['executionId'] }];
  return typeof value['error'] === 'string' ? [{ error: value['error'] }] : [];
};

/**
 * The calls that this run of the node had made when it began to wait, in the order of the items; the last one is the
 * one it waited for. Empty if it did not wait.
 */
export const earlierCalls = (context: NodeContext): readonly EarlierCall[] => {
  const kept = Object.hasOwn(context.runMemory, keyOf(context)) ? context.runMemory[keyOf(context)] : undefined;
  if (!isJsonObject(kept) || kept['run'] !== context.runIndex || kept['attempt'] !== context.attempt || !Array.isArray(kept['calls'])) return [];
  return kept['calls'].flatMap(readCall);
};

/** Keeps the calls while the run waits for the last of them. */
export const keepCalls = (context: NodeContext, calls: readonly EarlierCall[]): void => {
  context.runMemory[keyOf(context)] = { run: context.runIndex, attempt: context.attempt, calls: calls.map((call) => ({ ...call })) };
};

/** Forgets them: this run of the node has no call open. */
export const forgetCalls = (context: NodeContext): void => {
  delete context.runMemory[keyOf(context)];
};
