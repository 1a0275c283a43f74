import type { ToolRequest } from '@weft/engine';
import type { AssistantMessage, ChatMessage, ToolCall } from '@weft/models';
import {
  booleanField,
  field,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  numberField,
} from '@weft/node-catalogue';
import { readMessages } from '../shared/read-messages';

/** The conversation of an agent about one of its items. Stored between its steps. */
export interface Conversation {
  /** Messages of the memory, from before this run; or files that a node attached to its prompt. */
  readonly history: readonly ChatMessage[];
  /** Messages after that of the user. */
  readonly turn: readonly ChatMessage[];
  /** Answers of the model that called tools. */
  readonly iterations: number;
  /** True if the model was told that its last answer has the wrong form. */
  readonly wasCorrected: boolean;
  /** The output; absent until the agent has finished. */
  readonly json?: JsonObject;
}

/** A step of the conversation about one item: its new state, and calls that must be made before the next step. */
export interface AgentStep {
  readonly conversation: Conversation;
  readonly requests: readonly ToolRequest[];
}

/** A conversation that has not begun. */
export const NEW_CONVERSATION: Conversation = { history: [], turn: [], iterations: 0, wasCorrected: false };

/** Conversations as JSON. */
export function writeConversations(conversations: readonly Conversation[]): JsonObject {
  const state: JsonObject = JSON.parse(JSON.stringify({ conversations }));
  return state;
}

/** Reads what {@link writeConversations} has written. */
export function readConversations(state: JsonObject): Conversation[] {
  return listField(state, 'conversations').map((value) => {
    const json = field(value, 'json');
    return {
      history: readMessages(field(value, 'history')),
      turn: readMessages(field(value, 'turn')),
      iterations: numberField(value, 'iterations') ?? 0,
      wasCorrected: booleanField(value, 'wasCorrected') ?? false,
      ...(isJsonObject(json) ? { json } : {}),
    };
  });
}

/** One call of a tool and its result, as the output shows it. */
interface Step {
  readonly call: ToolCall;
  readonly observation: string;
  readonly message: AssistantMessage;
}

/** The calls of tools in a conversation, in the form of n8n's intermediate steps. */
export function intermediateSteps(turn: readonly ChatMessage[]): Json[] {
  const steps: Step[] = [];
  const results = new Map(
    turn.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content]] : [])),
  );
  for (const message of turn) {
    if (message.role !== 'assistant') continue;
    for (const call of message.toolCalls ?? []) steps.push({ call, observation: results.get(call.id) ?? '', message });
  }
  return steps.map(({ call: { id, name, input }, observation, message }) => ({
    action: { tool: name, toolInput: input, toolCallId: id, log: message.content, type: 'tool_call' },
    observation,
  }));
}
