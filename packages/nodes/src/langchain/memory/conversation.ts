import type { ChatMemory, MemoryMessage, SupplyContext } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import { lastTurns, withoutLooseCalls } from './turns';

/** A conversation in a store. */
export interface ConversationStore {
  /** Its newest messages within the bounds of the store, the oldest first. Leaves out what is not a message. */
  read(): Promise<readonly MemoryMessage[]>;
  append(messages: readonly MemoryMessage[], how: AppendOptions): Promise<void>;
  /** Deletes the last `count` messages, or none if there are fewer; all if `count` is undefined. */
  remove(count: number | undefined, operation: string): Promise<void>;
}

export interface AppendOptions {
  /** True: instead of all messages. */
  readonly replaces: boolean;
  /** The same for a repeated write. A store writes it once. */
  readonly operation: string;
}

/** Which conversation a memory is about, and how much of it a model gets. */
export interface ConversationOptions {
  readonly session: string;
  /** Turns; undefined or 0 for all. */
  readonly window: number | undefined;
}

/** The memory of a node. Each call is recorded as a run of the node. */
export function conversationMemory(
  context: SupplyContext,
  { session, window }: ConversationOptions,
  store: ConversationStore,
): ChatMemory {
  let writes = 0;
  const operation = (): string => {
    const { executionId, user, node, runIndex, itemIndex } = context;
    return JSON.stringify([executionId, user, node.name, runIndex, itemIndex, (writes += 1)]);
  };
  const read = (action: string, select: (messages: readonly MemoryMessage[]) => readonly MemoryMessage[]) =>
    context.record({ action, sessionId: session }, async () => {
      const result = select(await store.read());
      return { result, output: { action, chatHistory: messagesJson(result) } };
    });
  const write = (action: string, input: JsonObject, work: () => Promise<void>) =>
    context.record({ action, sessionId: session, ...input }, async () => {
      await work();
      return { result: undefined, output: { action } };
    });
  return {
    load: () => read('loadMemoryVariables', (messages) => withoutLooseCalls(lastTurns(messages, window))),
    all: () => read('getMessages', (messages) => messages),
    append: (messages, replaces = false) =>
      write('saveContext', { messages: messagesJson(messages) }, () =>
        store.append(messages, { replaces, operation: operation() }),
      ),
    remove: (count) =>
      write('removeMessages', count === undefined ? {} : { count }, () => store.remove(count, operation())),
  };
}

/** Messages as JSON. */
export function messagesJson(messages: readonly MemoryMessage[]): JsonObject[] {
  const json: JsonObject[] = JSON.parse(JSON.stringify(messages));
  return json;
}
