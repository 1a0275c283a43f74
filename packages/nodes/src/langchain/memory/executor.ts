import { createHash } from 'node:crypto';
import { type ChatMemory, type NodeExecutor, NodeFailure, type SupplyContext } from '@weft/engine';
import type { ChatMessage } from '@weft/models';
import { field, type Json, type JsonObject } from '@weft/node-catalogue';
import { updateState, valueOf } from '../../shared/persistent-state/update-state';
import { readMessages } from '../shared/read-messages';
import { sessionIdOf } from './session-id';

/** Bounds of one conversation; the oldest messages are dropped. */
const MAX_MESSAGES = 500;
const MAX_BYTES = 256 * 1024;
/** Since this version, a conversation from a chat trigger belongs to one memory node. */
const SCOPED_SINCE = 1.4;

/** Stores the messages of conversations in the persistent state of the workflow. */
export const memoryBufferWindow: NodeExecutor = {
  kind: 'langchain.memoryBufferWindow',
  actsOutside: true,
  run: () => {
    throw new NodeFailure('A memory is used by another node: connect it to an agent');
  },
  supplies: { ai_memory: storedMemory },
};

function storedMemory(context: SupplyContext): ChatMemory {
  const { itemIndex } = context;
  const session = sessionIdOf(context, itemIndex);
  const name = entryName(context, session);
  const window = context.parameter('contextWindowLength', itemIndex);
  return {
    load: () =>
      context.record({ action: 'loadMemoryVariables', sessionId: session }, async () => {
        const stored = valueOf(await context.ports.persistentState.read(name));
        const result = lastTurns(messagesIn(stored), typeof window === 'number' ? window : 5);
        return { result, output: { action: 'loadMemoryVariables', chatHistory: asJson(result) } };
      }),
    append: (messages) =>
      context.record({ action: 'saveContext', sessionId: session, messages: asJson(messages) }, async () => {
        await updateState(context, name, (stored) => ({
          result: undefined,
          write: {
            value: { session, messages: asJson(bounded([...messagesIn(stored), ...messages])) },
            operation: operationOf(context),
          },
        }));
        return { result: undefined, output: { action: 'saveContext' } };
      }),
  };
}

/** Names the entry of a conversation. */
function entryName(context: SupplyContext, session: string): string {
  const isScoped =
    context.version >= SCOPED_SINCE && context.parameter('sessionIdType', context.itemIndex) === 'fromInput';
  const scope = isScoped ? (context.node.id ?? context.node.name) : '';
  return `chat:${createHash('sha256')
    .update(JSON.stringify([scope, session]))
    .digest('hex')}`;
}

/** The same for a repeated step: the messages of a run are stored once. */
function operationOf({ executionId, node, runIndex, itemIndex }: SupplyContext): string {
  return JSON.stringify([executionId, node.name, runIndex, itemIndex]);
}

const messagesIn = (stored: Json | undefined): ChatMessage[] => readMessages(field(stored, 'messages'));

function asJson(messages: readonly ChatMessage[]): JsonObject[] {
  const json: JsonObject[] = JSON.parse(JSON.stringify(messages));
  return json;
}

/** The last turns of a conversation; a turn begins with a message of the user. */
function lastTurns(messages: readonly ChatMessage[], count: number): ChatMessage[] {
  const starts = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : []));
  if (count <= 0) return [];
  return messages.slice(starts.at(-Math.floor(count)) ?? starts[0] ?? 0);
}

/** The newest messages that fit, from the beginning of a turn on. */
function bounded(messages: readonly ChatMessage[]): ChatMessage[] {
  let bytes = 0;
  let first = messages.length;
  while (first > 0 && messages.length - first < MAX_MESSAGES) {
    bytes += Buffer.byteLength(JSON.stringify(messages[first - 1])) + 1;
    if (bytes > MAX_BYTES) break;
    first -= 1;
  }
  const kept = messages.slice(first);
  const start = kept.findIndex(({ role }) => role === 'user');
  return first === 0 || start < 0 ? kept : kept.slice(start);
}
