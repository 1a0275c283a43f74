import type { JsonObject } from '@weft/node-catalogue';
import { CALLER_MEMORY } from '../claims/caller';
import { type EngineState, RUN_MEMORY, TOKEN_MEMORY, withoutCounts } from '@weft/engine';

const without = (memory: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(memory).filter(([name]) => !names.includes(name)));

/**
 * Converts the state of a failed run for its retry: waiting nodes start their waits again, with new calls and tokens,
 * no caller waits for a response, and calls of models count again from zero.
 */
export const asRetried = (state: EngineState): EngineState => {
  const waited = new Set(state.ready.filter((entry) => entry.waited === true).map(({ node }) => node));
  const memories = Object.entries(state.memories).filter(([node]) => !waited.has(node));
  return {
    ...state,
    ready: state.ready.map(({ waited: _waited, since: _since, ...entry }) => entry),
    memories: Object.fromEntries(
      memories.map(([node, memory]) => [
        node,
        node === RUN_MEMORY ? withoutCounts(without(memory, [TOKEN_MEMORY, ...CALLER_MEMORY])) : memory,
      ]),
    ),
  };
};
