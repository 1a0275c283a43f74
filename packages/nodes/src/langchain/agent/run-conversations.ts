import { messageOf, type NodeContext, NodeFailure, type NodeResult, output, type ToolRequest } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import {
  type AgentStep,
  type Conversation,
  NEW_CONVERSATION,
  readConversations,
  writeConversations,
} from './conversation';
import { messageOfOutcome } from './tools';

/** How the conversations of a node are led. */
export interface Lead {
  /** Number of items that are handled at the same time, and the pause after them in milliseconds. */
  readonly size: number;
  readonly delayMs: number;
  /** False: a batch of `size` items is finished before the next one begins. */
  readonly allAtOnce: boolean;
  /** Asks the model once about an item, and finishes the conversation or prepares calls of tools. */
  takeStep(context: NodeContext, before: Conversation, itemIndex: number): Promise<AgentStep>;
  /** The items that a finished conversation becomes; one with its JSON if absent. */
  itemsOf?(json: JsonObject, itemIndex: number): readonly JsonObject[];
}

/** Takes the next step of the conversations of all items, or gives their outputs. */
export async function runConversations(context: NodeContext, lead: Lead): Promise<NodeResult> {
  const conversations = resumed(context);
  const { size, delayMs, itemsOf = (json) => [json] } = lead;
  const open = [...conversations.keys()].filter((index) => conversations[index]?.json === undefined);
  const now = lead.allAtOnce ? open : currentBatch(open, size);
  const requests: ToolRequest[] = [];
  for (let at = 0; at < now.length; at += size) {
    if (at > 0 && delayMs > 0) await context.ports.clock.sleep(delayMs, context.signal);
    const steps = await Promise.all(
      now.slice(at, at + size).map((index) => stepOf(context, lead, conversations, index)),
    );
    for (const { index, conversation, calls } of steps) {
      conversations[index] = conversation;
      requests.push(...calls);
    }
    await context.pause();
  }
  const outputs = conversations.map(({ json }) => json);
  if (outputs.every((json) => json !== undefined))
    return output(
      outputs.flatMap((json, item) => itemsOf(json, item).map((one) => ({ json: one, pairedItem: { item } }))),
    );
  return { kind: 'request', calls: requests, state: writeConversations(conversations) };
}

/** The items of one batch: those between two multiples of its size in which the first open item is. */
function currentBatch(open: readonly number[], size: number): readonly number[] {
  const batch = Math.floor((open[0] ?? 0) / size);
  return open.filter((index) => Math.floor(index / size) === batch);
}

/** The conversations, with the results of the calls that were made since the last step. */
function resumed(context: NodeContext): Conversation[] {
  const { continuation } = context;
  if (continuation === undefined) return context.items.map(() => NEW_CONVERSATION);
  const fatal = continuation.outcomes.find(({ endsRoot }) => endsRoot === true);
  if (fatal?.error !== undefined)
    throw new NodeFailure(`The tool "${fatal.node}" failed: ${fatal.error.message}`, { itemIndex: fatal.itemIndex });
  const conversations = readConversations(continuation.state);
  for (const outcome of continuation.outcomes) {
    const before = conversations[outcome.itemIndex];
    if (before === undefined) continue;
    conversations[outcome.itemIndex] = { ...before, turn: [...before.turn, messageOfOutcome(outcome)] };
  }
  return conversations;
}

interface ItemStep {
  readonly index: number;
  readonly conversation: Conversation;
  readonly calls: readonly ToolRequest[];
}

async function stepOf(
  context: NodeContext,
  { takeStep }: Lead,
  conversations: readonly Conversation[],
  index: number,
): Promise<ItemStep> {
  const before = conversations[index] ?? NEW_CONVERSATION;
  try {
    const { conversation, requests } = await takeStep(context, before, index);
    return { index, conversation, calls: requests };
  } catch (thrown) {
    if (!context.continueOnFail || context.signal.aborted) throw thrown;
    const json: JsonObject = { error: messageOf(thrown) };
    return { index, conversation: { ...before, json }, calls: [] };
  }
}
