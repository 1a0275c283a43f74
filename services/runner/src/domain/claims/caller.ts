import { type Json, type JsonObject, isJsonObject, kindOf } from '@weft/node-catalogue';
import {
  CHAT_KIND,
  chatResponseOf,
  MCP_KIND,
  MCP_RESPONSE,
  type WebhookResponse,
  webhookResponseOf,
} from '@weft/nodes/descriptors';
import type { ClaimedExecution } from './claimed-execution';
import { type EngineState, type PreparedWorkflow, type Resume, RUN_MEMORY } from '@weft/engine';

/**
 * Response rules are part of the memory that the nodes of a run share, and so of its state: one for the current caller,
 * one for the caller that ends the wait.
 */
const NOW = 'answer';
const NEXT = 'nextAnswer';

/** The part of the shared memory that concerns callers. */
export const CALLER_MEMORY: readonly string[] = [NOW, NEXT];

const memoryOf = (state: EngineState): JsonObject => state.memories[RUN_MEMORY] ?? {};

const withMemory = (state: EngineState, changes: JsonObject): EngineState => ({
  ...state,
  memories: { ...state.memories, [RUN_MEMORY]: { ...memoryOf(state), ...changes } },
});

/**
 * The state of a run that waits for a caller, including how to respond to it. `answer`: parameters of a webhook node.
 */
export const withNextCaller = (state: EngineState, answer: JsonObject | undefined): EngineState =>
  withMemory(state, { [NEXT]: answer ?? null });

/** The state of a run as it continues: after a caller has woken it, that caller gets the response. */
export const withCaller = (state: EngineState, resumed: Resume | undefined): EngineState =>
  resumed?.kind === 'webhook' ? withMemory(state, { [NOW]: memoryOf(state)[NEXT] ?? null }) : state;

const LIST_START = '['.charCodeAt(0);

/**
 * Whether a webhook call started the run. A test call starts a manual run with a list of items, in contrast to a user,
 * who starts one with an object or without input.
 */
const isCalled = ({ mode, input }: Pick<ClaimedExecution, 'mode' | 'input'>): boolean =>
  mode === 'webhook' || (mode === 'manual' && input[0] === LIST_START);

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
 * The rule for responding to the caller that may be waiting now: that of its wait, or else of the webhook that started
 * the run. Undefined: no response.
 */
export const callerSettings = (
  claimed: Pick<ClaimedExecution, 'mode' | 'startNode' | 'input'>,
  workflow: PreparedWorkflow,
  state: EngineState,
): WebhookResponse | undefined => {
  const rule: Json | undefined = memoryOf(state)[NOW];
  if (rule !== undefined) return isJsonObject(rule) ? settingsOf(rule) : undefined;
  const node = workflow.nodes.get(claimed.startNode)?.definition;
  if (!isCalled(claimed) || node === undefined) return undefined;
  const kind = kindOf(node.type);
  if (kind === CHAT_KIND) return chatResponseOf(node);
  if (kind === MCP_KIND) return MCP_RESPONSE;
  return kind === 'webhook' ? webhookResponseOf(node) : undefined;
};
