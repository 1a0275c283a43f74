import {
  messageOf,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  type NodeResult,
  type ToolRequest,
} from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { readBatching } from './agent-options';
import { type Conversation, NEW_CONVERSATION, readConversations, writeConversations } from './conversation';
import { takeStep } from './step';
import { messageOfOutcome } from './tools';

/** From this version on, all items are handled at once; before it, a batch is finished before the next one begins. */
const ALL_AT_ONCE_SINCE = 3;

/**
 * An agent: it asks the model, lets the engine make the calls of tools that the model wants, and asks again with their
 * results. Each step is stored, so a run that continues elsewhere repeats no answer that was stored.
 */
export const agent: NodeExecutor = {
  kind: 'langchain.agent',
  actsOutside: true,
  run: runAgent,
};

/** Takes the next step of the conversations of all items, or gives their outputs. */
export async function runAgent(context: NodeContext): Promise<NodeResult> {
  const conversations = resumed(context);
  const { size, delayMs } = readBatching(context);
  const open = [...conversations.keys()].filter((index) => conversations[index]?.json === undefined);
  const now = context.version >= ALL_AT_ONCE_SINCE ? open : currentBatch(open, size);
  const requests: ToolRequest[] = [];
  for (let at = 0; at < now.length; at += size) {
    if (at > 0 && delayMs > 0) await context.ports.clock.sleep(delayMs, context.signal);
    const steps = await Promise.all(now.slice(at, at + size).map((index) => stepOf(context, conversations, index)));
    for (const { index, conversation, calls } of steps) {
      conversations[index] = conversation;
      requests.push(...calls);
    }
    await context.pause();
  }
  const outputs = conversations.map(({ json }) => json);
  if (outputs.every((json) => json !== undefined))
    return { kind: 'items', outputs: [outputs.map((json, item) => ({ json, pairedItem: { item } }))] };
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

async function stepOf(context: NodeContext, conversations: readonly Conversation[], index: number): Promise<ItemStep> {
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
