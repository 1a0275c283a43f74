import { createStore, type Store } from '../../../ui/store';
import type { RunState } from '../../../ui/runs/run-state';
import { newId } from '../../../ui/values/new-id';

/** How the run of a message ended. */
export interface Outcome {
  readonly state: RunState;
  /** The answer, or the reason why it is missing. */
  readonly text: string;
}

/** A message of the user, and the answer of the workflow. */
export interface Exchange {
  readonly id: string;
  readonly text: string;
  /** Names of the files that were sent with it. */
  readonly files: readonly string[];
  /** Undefined until the run has started. */
  readonly executionId?: string;
  /** Undefined until the run has ended, or could not be started. */
  readonly outcome?: Outcome;
}

/** The chat with a workflow in the editor. */
export interface Chat {
  readonly isOpen: boolean;
  /** Name of the trigger that gets the messages; undefined: the first one. */
  readonly trigger: string | undefined;
  readonly sessionId: string;
  readonly exchanges: readonly Exchange[];
}

/** Older messages are not shown; their executions are in the list. */
const MAX_EXCHANGES = 200;
/** Workflows whose chats are kept. */
const MAX_CHATS = 20;

const chats = new Map<string, Store<Chat>>();

/** The chat with a workflow: a user who looks at an execution finds it again. Kept in memory alone. */
export const chatOf = (workflowId: string): Store<Chat> => {
  const known = chats.get(workflowId);
  if (known !== undefined) return known;
  const chat = createStore<Chat>({ isOpen: false, trigger: undefined, sessionId: newId(), exchanges: [] });
  chats.set(workflowId, chat);
  const [oldest] = chats.keys();
  if (chats.size > MAX_CHATS && oldest !== undefined) chats.delete(oldest);
  return chat;
};

export const changeChat = (chat: Store<Chat>, change: Partial<Chat>): void => chat.set({ ...chat.get(), ...change });

/** Begins a session without messages: memories of the workflow keep those of the earlier one apart. */
export const startChatSession = (chat: Store<Chat>): void => changeChat(chat, { sessionId: newId(), exchanges: [] });

export const addExchange = (chat: Store<Chat>, exchange: Exchange): void =>
  changeChat(chat, { exchanges: [...chat.get().exchanges, exchange].slice(-MAX_EXCHANGES) });

export const changeExchange = (chat: Store<Chat>, id: string, change: Partial<Exchange>): void =>
  changeChat(chat, {
    exchanges: chat.get().exchanges.map((one) => (one.id === id ? { ...one, ...change } : one)),
  });

/** The message whose run has not ended. */
export const pendingOf = ({ exchanges }: Chat): Exchange | undefined =>
  exchanges.find(({ outcome }) => outcome === undefined);
