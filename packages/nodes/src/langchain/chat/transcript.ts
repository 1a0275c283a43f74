import type { HttpResponse, NodeContext } from '@weft/engine';
import { isJsonObject, type JsonObject, listField, numberField, textField } from '@weft/node-catalogue';
import type { ChatMessage } from '@weft/proto/channels';
import type { ChatAnswerType, ChatTold } from '@weft/proto/chat-answer';

/** The chat that started a run. */
export interface Chat {
  readonly sessionId: string;
  /** `mode` and `options.responseMode` of the trigger. */
  readonly mode: string;
  readonly responseMode: string;
  /** Messages of this run, the oldest first. */
  readonly messages: readonly ChatMessage[];
  /** Index of the first message after the last one of the user. */
  readonly since: number;
}

/** Key in the memory of the run. */
const KEY = 'chat';
const CHAT_TYPE: ChatAnswerType = 'application/vnd.weft.chat+json';

/** Bounds of the messages that are kept; the newest one is kept in any case. */
const MAX_MESSAGES = 100;
const MAX_CHARACTERS = 100_000;
/** Characters of a message of the user that are shown again. */
const MAX_USER_CHARACTERS = 10_000;

/** Maximum length of a message of the workflow in characters. */
export const MAX_MESSAGE = 100_000;

/** Begins the chat of a run with the message that started it. */
export function openChat(
  runMemory: JsonObject,
  { text, ...chat }: Pick<Chat, 'sessionId' | 'mode' | 'responseMode'> & { readonly text: string },
): void {
  runMemory[KEY] = { ...chat, messages: [], since: 0 };
  if (text !== '') hear(runMemory, text);
}

/** The chat that started the run; undefined for another start. */
export function chatOf(runMemory: JsonObject | undefined): Chat | undefined {
  const known = runMemory?.[KEY];
  if (!isJsonObject(known)) return undefined;
  return {
    sessionId: textField(known, 'sessionId') ?? '',
    mode: textField(known, 'mode') ?? '',
    responseMode: textField(known, 'responseMode') ?? '',
    messages: listField(known, 'messages').map((message) => ({
      author: textField(message, 'author') ?? '',
      text: textField(message, 'text') ?? '',
    })),
    since: numberField(known, 'since') ?? 0,
  };
}

/** True if only messages that nodes send are shown in the chat of the run. */
export function showsOnlyMessages(runMemory: JsonObject): boolean {
  return chatOf(runMemory)?.responseMode === 'responseNodes';
}

/** Adds a message of the user: earlier ones of the workflow were shown. */
export function hear(runMemory: JsonObject, text: string): void {
  add(runMemory, { author: 'user', text: text.slice(0, MAX_USER_CHARACTERS) });
}

/** Adds a message of the workflow. Readers that follow the run see it at once; empty messages are not shown. */
export function say(context: Pick<NodeContext, 'runMemory' | 'streamText' | 'withoutSecrets'>, given: string): void {
  const text = textField(context.withoutSecrets({ text: given }), 'text') ?? '';
  if (text === '') return;
  add(context.runMemory, { author: 'assistant', text });
  const stream = context.streamText(0);
  stream?.write(text);
  stream?.end();
}

function add(runMemory: JsonObject, message: ChatMessage): void {
  const chat = chatOf(runMemory);
  if (chat === undefined) return;
  const messages = [...chat.messages, message];
  let left = MAX_CHARACTERS;
  const tooOld = messages.findLastIndex(({ text }, at) => {
    left -= text.length;
    return at < messages.length - 1 && (left < 0 || messages.length - at > MAX_MESSAGES);
  });
  const kept = messages.slice(tooOld + 1);
  const since = message.author === 'user' ? kept.length : Math.max(0, chat.since - tooOld - 1);
  runMemory[KEY] = { ...chat, messages: kept.map((one) => ({ ...one })), since };
}

/** The response of a run to the page of its chat. */
export function chatAnswer(told: ChatTold): HttpResponse {
  return { status: 200, headers: { 'content-type': CHAT_TYPE }, body: JSON.stringify(told) };
}

/** The response of a run that waits for no reply: it has ended, or is paused by another node. */
export function chatWithoutReply(
  runMemory: JsonObject | undefined,
  why: Pick<ChatTold, 'isFailed' | 'isPaused'>,
): HttpResponse {
  const { messages = [], since = 0 } = chatOf(runMemory) ?? {};
  return chatAnswer({ messages, since, ...why });
}
