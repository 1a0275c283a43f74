import { type Json, type JsonObject, isJsonObject, kindOf } from '@weft/node-catalogue';
import { type WebhookResponse, webhookResponseOf } from '@weft/nodes/descriptors';
import type { ClaimedExecution } from './claimed-execution';
import { type EngineState, type PreparedWorkflow, type Resume, RUN_MEMORY } from '@weft/engine';

/**
 * Answer rules lie in the memory that the nodes of a run share, so that they move on with it: the rule for the caller
 * now, and for the one who ends the wait.
 */
const NOW = 'answer';
const NEXT = 'nextAnswer';

/** The part of the memory that nodes share that is about callers. */
export const CALLER_MEMORY: readonly string[] = [NOW, NEXT];

const memoryOf = (state: EngineState): JsonObject => state.memories[RUN_MEMORY] ?? {};

const withMemory = (state: EngineState, changes: JsonObject): EngineState => ({
  ...state,
  memories: { ...state.memories, [RUN_MEMORY]: { ...memoryOf(state), ...changes } },
});

/**
 * The state of a run that waits for a caller: how that one is to be answered goes with it. `answer`: parameters of a
 * webhook node.
 */
export const withNextCaller = (state: EngineState, answer: JsonObject | undefined): EngineState =>
  withMemory(state, { [NEXT]: answer ?? null });

/** The state of a run as it continues: after a caller has woken it, that caller is answered. */
export const withCaller = (state: EngineState, resumed: Resume | undefined): EngineState =>
  resumed?.kind === 'webhook' ? withMemory(state, { [NOW]: memoryOf(state)[NEXT] ?? null }) : state;

const settingsOf = (parameters: JsonObject): WebhookResponse =>
  webhookResponseOf({
    id: '',
    name: '',
    type: 'weft-nodes-base.webhook',
    typeVersion: 1,
    position: [0, 0],
    parameters,
  });

/**
 * Rule for answering the caller who may wait for the run now: as its wait says, or else as the webhook that it began
 * with. Undefined: not at all.
 */
export const callerSettings = (
  claimed: Pick<ClaimedExecution, 'mode' | 'startNode'>,
  workflow: PreparedWorkflow,
  state: EngineState,
): WebhookResponse | undefined => {
  const rule: Json | undefined = memoryOf(state)[NOW];
  if (rule !== undefined) return isJsonObject(rule) ? settingsOf(rule) : undefined;
  const node = workflow.nodes.get(claimed.startNode)?.definition;
  return claimed.mode === 'webhook' && node !== undefined && kindOf(node.type) === 'webhook'
    ? webhookResponseOf(node)
    : undefined;
};
