import type { ModelCall, ModelResponse } from '@weft/engine';
import type { ChatMessage, ContentPart } from '@weft/models';
import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json';
import { MAX_CONTENT, type SpanAttributes } from '@weft/service-kit/tracing';

/** Characters of one text. */
const MAX_TEXT = 2_000;

type WithoutSecrets = (json: JsonObject) => JsonObject;

const textPart = (content: string): JsonObject => ({ type: 'text', content });

const partOf = (part: ContentPart): JsonObject =>
  part.type === 'text' ? textPart(part.text) : textPart(`[file ${part.mimeType}]`);

/** A message in the form of OpenTelemetry's conventions. Files are named, not shown. */
const messageOf = (message: ChatMessage): JsonObject => {
  const { role } = message;
  if (message.role === 'tool')
    return { role, parts: [{ type: 'tool_call_response', id: message.toolCallId, result: message.content }] };
  const contents = typeof message.content === 'string' ? [textPart(message.content)] : message.content.map(partOf);
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return {
    role,
    parts: [...contents, ...calls.map(({ id, name, input }) => ({ type: 'tool_call', id, name, arguments: input }))],
  };
};

/** A value whose strings are cut. */
const cut = (value: Json): Json => {
  if (typeof value === 'string') return value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT)}…` : value;
  if (Array.isArray(value)) return value.map(cut);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, cut(member)]));
};

/**
 * Masked messages as JSON text within the limit of an attribute: their strings are cut, and the oldest messages left
 * out. Undefined if even the last one is too long.
 */
const boundedText = (messages: readonly ChatMessage[], withoutSecrets: WithoutSecrets): string | undefined => {
  const shown: string[] = [];
  let length = 2;
  for (const message of messages.toReversed()) {
    // Masked before it is cut: a secret must not be divided.
    const text = JSON.stringify(cut(withoutSecrets(messageOf(message))));
    length += text.length + 1;
    if (length > MAX_CONTENT) break;
    shown.unshift(text);
  }
  return shown.length === 0 ? undefined : `[${shown.join(',')}]`;
};

/** Attribute with the messages that a model was given. */
export const inputContent = ({ request }: ModelCall, withoutSecrets: WithoutSecrets): SpanAttributes => {
  const text = boundedText(request?.messages ?? [], withoutSecrets);
  return text === undefined ? {} : { 'gen_ai.input.messages': text };
};

/** Attribute with the answer of a model. */
export const outputContent = (
  { message, finish = 'stop' }: ModelResponse,
  withoutSecrets: WithoutSecrets,
): SpanAttributes => {
  const finished = (json: JsonObject): JsonObject => ({ ...withoutSecrets(json), finish_reason: finish });
  const text = message && boundedText([message], finished);
  return text === undefined ? {} : { 'gen_ai.output.messages': text };
};

/** JSON of a tool's arguments or result as an attribute; undefined if it is too long. */
export const toolContent = (value: Json): string | undefined => {
  const text = JSON.stringify(cut(value));
  return text.length > MAX_CONTENT ? undefined : text;
};
