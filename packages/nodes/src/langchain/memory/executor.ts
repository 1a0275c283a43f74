import { createHash } from 'node:crypto';
import { type ChatMemory, type MemoryMessage, type NodeExecutor, type SupplyContext } from '@weft/engine';
import { field, type Json } from '@weft/node-catalogue';
import { updateState, valueOf } from '../../shared/persistent-state/update-state';
import { subNodeOnly } from '../parsers/sub-node-only';
import { readMemoryMessages } from '../shared/read-messages';
import { conversationMemory, type ConversationStore, messagesJson } from './conversation';
import { sessionIdOf, windowOf } from './session-id';
import { newestThatFit } from './turns';

/** Bounds of one conversation; the oldest messages are dropped. */
const BOUNDS = { messages: 500, bytes: 256 * 1024 };
/** Since this version, a conversation from a chat trigger belongs to one memory node. */
const SCOPED_SINCE = 1.4;

/** Stores the messages of conversations in the persistent state of the workflow. */
export const memoryBufferWindow: NodeExecutor = {
  kind: 'langchain.memoryBufferWindow',
  actsOutside: true,
  run: subNodeOnly,
  supplies: { ai_memory: storedMemory },
};

function storedMemory(context: SupplyContext): ChatMemory {
  const session = sessionIdOf(context, context.itemIndex);
  return conversationMemory(context, { session, window: windowOf(context) }, stateStore(context, session));
}

function stateStore(context: SupplyContext, session: string): ConversationStore {
  const name = entryName(context, session);
  const change = (operation: string, next: (messages: readonly MemoryMessage[]) => readonly MemoryMessage[]) =>
    updateState(context, name, (stored) => ({
      result: undefined,
      write: { value: { session, messages: messagesJson(next(messagesIn(stored))) }, operation },
    }));
  return {
    read: async () => messagesIn(valueOf(await context.ports.persistentState.read(name))),
    append: (added, { replaces, operation }) =>
      change(operation, (messages) => newestThatFit(replaces ? added : [...messages, ...added], BOUNDS)),
    remove: (count, operation) =>
      change(operation, (messages) => {
        if (count === undefined) return [];
        return messages.length < count ? messages : messages.slice(0, messages.length - count);
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

const messagesIn = (stored: Json | undefined): MemoryMessage[] => readMemoryMessages(field(stored, 'messages'));
