import { type NodeContext, NodeFailure, type NodeResult } from '@weft/engine';
import type { ChatMessage, ChatSettings } from '@weft/models';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import type { AgentStep, Conversation } from '../agent/conversation';
import { runConversations } from '../agent/run-conversations';
import { offeredFunctions, withCalls } from '../agent/tools';
import { callModel, type ModelChoice } from './call-model';

/** Answers with calls of tools, whatever the node says. */
const MAX_ROUNDS = 50;
/** Calls in one step that continue an answer at which the service paused. */
const MAX_PAUSES = 3;

/** Request of a node to its model about one item. */
export interface TextRequest {
  readonly choice: ModelChoice;
  readonly messages: readonly ChatMessage[];
  readonly settings: ChatSettings;
  /** Calls of the model after which its answer is given even if it calls tools; 0 for no limit of the node. */
  readonly rounds: number;
}

/** An operation that asks a model, which may call the attached tools. */
export interface TextOperation {
  /** Reads the parameters for an item. @throws NodeFailure */
  read(context: NodeContext, itemIndex: number): Promise<TextRequest>;
  /** Messages after those of the request, made once for all rounds of tools. They hold no bytes. @throws NodeFailure */
  attach?(context: NodeContext, itemIndex: number): Promise<readonly ChatMessage[]>;
  /** True for a response that the service continues if it is sent back. */
  isPaused?(raw: JsonObject): boolean;
  /** The items that the last response becomes. @param raw its body */
  itemsOf(raw: JsonObject, context: NodeContext, itemIndex: number): readonly JsonObject[];
}

/** Asks the model about all items, one after the other, and again with the results of tools. */
export function runTextOperation(context: NodeContext, operation: TextOperation): Promise<NodeResult> {
  return runConversations(context, {
    size: 1,
    delayMs: 0,
    allAtOnce: true,
    takeStep: (own, before, itemIndex) => takeStep(own, operation, before, itemIndex),
    itemsOf: (json, itemIndex) => {
      const { raw } = json;
      return isJsonObject(raw) ? operation.itemsOf(raw, context, itemIndex) : [json];
    },
  });
}

async function takeStep(
  context: NodeContext,
  operation: TextOperation,
  before: Conversation,
  itemIndex: number,
): Promise<AgentStep> {
  if (before.iterations >= MAX_ROUNDS) {
    context.limitReached('AGENT_STEPS');
    throw new NodeFailure(`The model still calls tools after ${MAX_ROUNDS} answers`, {
      itemIndex,
      context: { limit: 'AGENT_STEPS' },
      description: 'Set "Max Tool Calls Iterations", or tell the model in the prompt when to stop.',
    });
  }
  const { choice, messages, settings, rounds } = await operation.read(context, itemIndex);
  const offered = await offeredFunctions(context, itemIndex);
  const tools = [...offered.values()].map(({ definition }) => definition);
  const isFirst = before.iterations === 0;
  const history = isFirst ? ((await operation.attach?.(context, itemIndex)) ?? []) : before.history;
  let turn = before.turn;
  for (let pauses = 0; ; pauses += 1) {
    const call = { messages: [...messages, ...history, ...turn], tools, settings };
    const { message, toolCalls, raw } = await callModel(context, choice, call, itemIndex);
    if (operation.isPaused?.(raw) === true && pauses < MAX_PAUSES) {
      turn = [...turn, message];
      continue;
    }
    const isLast = rounds > 0 && before.iterations + 1 >= rounds;
    if (toolCalls.length === 0 || isLast) return { conversation: { ...before, json: { raw } }, requests: [] };
    return withCalls({ ...before, history, turn: [...turn, message] }, toolCalls, offered, itemIndex);
  }
}

/** The JSON in a text, or the value itself. */
export function parsedOr(text: Json | undefined): Json {
  if (typeof text !== 'string') return text ?? null;
  try {
    const parsed: Json = JSON.parse(text);
    return parsed;
  } catch {
    return text;
  }
}
