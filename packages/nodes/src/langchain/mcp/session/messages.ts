import { isJsonObject, type Json, type JsonObject, numberField, objectField, textField } from '@weft/node-catalogue';
import { JsonRefused, readJson, SseParser } from '@weft/models';
import type { OutboundStream } from '@weft/outbound';
import { type McpTarget, mcpFailure, requestFailure } from './target';

/** Sends messages to a server. */
export interface McpTransport {
  /** Sends a request, and resolves with the message that answers it. @throws NodeFailure */
  request(message: JsonObject, id: number): Promise<JsonObject>;
  /** Sends a message that has no answer. @throws NodeFailure */
  notify(message: JsonObject): Promise<void>;
  /** Sets the version that both sides have agreed on. */
  agree(version: string): void;
  /** Ends the session. Never rejects. */
  close(): Promise<void>;
}

/** The result in a message. @throws NodeFailure with the words of the server for an error */
export function resultIn(target: McpTarget, message: JsonObject): JsonObject {
  const result = objectField(message, 'result');
  if (result !== undefined) return result;
  const error = objectField(message, 'error');
  const text = (textField(error, 'message') ?? 'no result and no error').slice(0, 2_000);
  throw mcpFailure(target, `refused the request: ${text}`);
}

/** The JSON of one message. @throws NodeFailure */
export function messageOf(target: McpTarget, text: string): Json {
  try {
    return readJson(text);
  } catch (thrown) {
    if (thrown instanceof JsonRefused) throw mcpFailure(target, `sent a message that ${thrown.message}.`);
    throw thrown;
  }
}

/** True for the message that answers a request. */
export const isAnswerTo = (message: Json | undefined, id: number): message is JsonObject =>
  isJsonObject(message) && numberField(message, 'id') === id && message['method'] === undefined;

/**
 * Messages of a stream of server-sent events, as they arrive. Events without data only give the stream an id, with
 * which it could be resumed.
 * @throws NodeFailure
 */
export async function* messagesIn(
  target: McpTarget,
  { chunks }: OutboundStream,
): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  const parser = new SseParser();
  try {
    for await (const chunk of chunks) for (const event of parser.push(chunk)) if (event.data !== '') yield event;
    for (const event of parser.end()) if (event.data !== '') yield event;
  } catch (thrown) {
    throw requestFailure(target, thrown);
  }
}

/** The whole body as text. @throws NodeFailure */
export async function textOf(target: McpTarget, { chunks }: OutboundStream): Promise<string> {
  const all: Uint8Array[] = [];
  try {
    for await (const chunk of chunks) all.push(chunk);
  } catch (thrown) {
    throw requestFailure(target, thrown);
  }
  return Buffer.concat(all).toString();
}
