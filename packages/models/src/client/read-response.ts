import { isJsonObject, type JsonObject, textField } from '@weft/service-kit/json-values';
import type { ChatCall } from '../chat-model';
import type { Codec } from '../formats/codec';
import { excerptOf, ModelError } from '../model-error';
import { NdjsonParser } from '../wire/line-splitter';
import { JsonRefused, readJson } from '../wire/read-json';
import { SseParser } from '../wire/sse-parser';
import { errorIn } from './failures';
import type { ModelDeps, OpenedResponse } from './send';

/** How responses of a model are read. */
interface Reading extends Pick<ModelDeps, 'withoutSecrets'> {
  /** Name of the model, for messages. */
  readonly model: string;
}

/** The body of a response that is not streamed. @throws ModelError if it is not an object, or reports an error */
export async function readWhole(response: OpenedResponse, reading: Reading): Promise<JsonObject> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.chunks) chunks.push(chunk);
  return objectOf(Buffer.concat(chunks).toString('utf8'), reading);
}

/**
 * Reads a streamed response, and reports its parts as they arrive.
 * @returns the body that the response would have if it were not streamed
 * @throws ModelError if it is cut off, is not in the format or reports an error
 */
export async function readStreamed(
  response: OpenedResponse,
  codec: Codec,
  reading: Reading,
  onDelta: NonNullable<ChatCall['onDelta']>,
): Promise<JsonObject> {
  const assembly = codec.assemble();
  const frames = codec.framing === 'sse' ? sseFrames() : new NdjsonParser();
  let bytes = 0;
  const take = async (texts: readonly string[]): Promise<void> => {
    for (const text of texts) {
      for (const delta of assembly.push(objectOf(text, reading))) await onDelta(delta);
    }
  };
  for await (const chunk of response.chunks) {
    bytes += chunk.length;
    await take(frames.push(chunk));
  }
  await take(frames.end());
  const body = assembly.body();
  if (body === undefined)
    throw new ModelError(
      'TRUNCATED_RESPONSE',
      `The response of the service ended before it was complete, after ${bytes} bytes. Try again.`,
    );
  return body;
}

/** Data of the events, without the mark with which some services end a stream. */
function sseFrames() {
  const parser = new SseParser();
  const dataOf = (events: ReturnType<SseParser['push']>): string[] =>
    events.map(({ data }) => data).filter((data) => data !== '[DONE]');
  return {
    push: (bytes: Uint8Array): string[] => dataOf(parser.push(bytes)),
    end: (): string[] => dataOf(parser.end()),
  };
}

function objectOf(text: string, { model, withoutSecrets }: Reading): JsonObject {
  const value = parsed(text);
  if (value instanceof JsonRefused) throw notTheFormat(value.message, text, withoutSecrets);
  if (!isJsonObject(value)) throw notTheFormat('is not a JSON object', text, withoutSecrets);
  // secrets are removed before a message is cut: a part of one would not be found
  const failure = errorIn(value, model) && errorIn(withoutSecrets(value), model);
  if (failure !== undefined) throw failure;
  return value;
}

function parsed(text: string) {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof JsonRefused) return error;
    throw error;
  }
}

function notTheFormat(reason: string, text: string, withoutSecrets: Reading['withoutSecrets']): ModelError {
  const shown = textField(withoutSecrets({ text }), 'text') ?? '';
  return new ModelError(
    'MALFORMED_RESPONSE',
    `The response of the service ${reason}. Check the base URL. It begins: ${excerptOf(shown)}`,
  );
}
