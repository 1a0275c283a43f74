import { appendFileSync } from 'node:fs';
import { bodyOf, type LocalServer, serveHttp } from '@weft/outbound/testing';
import { isJsonObject, type Json, type JsonObject, textField } from '@weft/service-kit/json-values';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { ModelFormat } from '../chat-model';
import { embeddingAnswer, type EmbeddingTexts, embeddingTexts, lettersOf } from './answer-embeddings';
import { sendHostile } from './hostile-bodies';
import {
  type Delivery,
  type FormatWriter,
  framed,
  type RawResponse,
  type ScriptStep,
  streamType,
  type WrittenEvent,
} from './script';
import { anthropicWriter } from './write-anthropic';
import { geminiWriter } from './write-gemini';
import { ollamaWriter } from './write-ollama';
import { openAiChatWriter } from './write-openai-chat';
import { openAiResponsesWriter } from './write-openai-responses';

/** A request as the stand-in received it. */
export interface ModelRequest {
  readonly format: ModelFormat;
  readonly isStreamed: boolean;
  /** Path and query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

/** A server that stands in for the services of all formats, on 127.0.0.1. */
export interface ModelServer extends LocalServer {
  readonly seen: ModelRequest[];
  /** Requests for vectors. */
  readonly embeddings: (EmbeddingTexts & Pick<ModelRequest, 'path' | 'headers' | 'body'>)[];
  /** Makes the vectors of all requests that follow; those of letters by default. */
  embedWith(vectors: (texts: readonly string[]) => Json): void;
  /** The latest request. Throws if there was none. */
  last(): ModelRequest;
  /** Sets the responses to the next requests. The last step is repeated. */
  play(...steps: readonly ScriptStep[]): void;
  /** Responds to each of the next requests by what it asks, for scenarios with several callers at once. */
  playFor(choose: (request: ModelRequest) => ScriptStep): void;
}

const WRITERS: Readonly<Record<ModelFormat, FormatWriter>> = {
  'openai-chat': openAiChatWriter,
  'openai-responses': openAiResponsesWriter,
  gemini: geminiWriter,
  anthropic: anthropicWriter,
  ollama: ollamaWriter,
};

/** Starts the stand-in. It finds the format by the path of a request, and checks no key. */
export async function serveModels(): Promise<ModelServer> {
  const seen: ModelRequest[] = [];
  let choose: (request: ModelRequest) => ScriptStep = () => ({});
  const embeddings: ModelServer['embeddings'] = [];
  let vectorsOf: (texts: readonly string[]) => Json = lettersOf;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = objectOf(await bodyOf(request));
    const path = request.url ?? '';
    const wanted = body === undefined ? undefined : embeddingTexts(path, body);
    if (wanted !== undefined && body !== undefined) {
      embeddings.push({ ...wanted, path, headers: request.headers, body });
      response.writeHead(200, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify(embeddingAnswer(wanted, vectorsOf(wanted.texts))));
    }
    const format = formatOf(path);
    if (format === undefined || body === undefined) return void response.writeHead(404).end('no such path');
    const isStreamed = wantsStream(format, path, body);
    const asked = { format, isStreamed, path, headers: request.headers, body };
    seen.push(asked);
    recordRequest(asked);
    const step = choose(asked);
    // a client that leaves early ends the response
    await respond(step, format, isStreamed, modelOf(path, body), response).catch(() => response.destroy());
  };
  const server = await serveHttp((request, response) => void answer(request, response));
  return {
    ...server,
    seen,
    embeddings,
    embedWith: (vectors) => {
      vectorsOf = vectors;
    },
    last: () => {
      const last = seen.at(-1);
      if (last === undefined) throw new Error('The server has seen no request.');
      return last;
    },
    play: (...steps) => {
      let next = 0;
      choose = () => steps[Math.min(next++, steps.length - 1)] ?? {};
    },
    playFor: (wanted) => {
      choose = wanted;
    },
  };
}

function formatOf(path: string): ModelFormat | undefined {
  const [name = ''] = path.split('?');
  if (name.endsWith('/chat/completions')) return 'openai-chat';
  if (name.endsWith('/responses')) return 'openai-responses';
  if (name.endsWith(':generateContent') || name.endsWith(':streamGenerateContent')) return 'gemini';
  if (name.endsWith('/messages')) return 'anthropic';
  return name.endsWith('/api/chat') ? 'ollama' : undefined;
}

const wantsStream = (format: ModelFormat, path: string, body: JsonObject): boolean =>
  format === 'gemini' ? path.includes(':streamGenerateContent') : (body['stream'] ?? format === 'ollama') === true;

const modelOf = (path: string, body: JsonObject): string =>
  textField(body, 'model') ?? /\/models\/([^:]{1,100}):/.exec(path)?.[1] ?? '';

function objectOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function respond(
  step: ScriptStep,
  format: ModelFormat,
  isStreamed: boolean,
  model: string,
  response: ServerResponse,
): Promise<void> {
  const writer = WRITERS[format];
  const { answer = { text: '' }, raw, error, errorInStream, hostile, delivery = {} } = step;
  if (raw !== undefined) {
    response.writeHead(raw.status ?? 200, { 'content-type': 'application/json', ...headersOf(raw) });
    response.end(raw.body);
    return;
  }
  if (hostile !== undefined) return sendHostile(hostile, { format, isStreamed, writer, response });
  if (error !== undefined) {
    response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers });
    response.end(JSON.stringify(writer.error(error)));
    return;
  }
  if (isStreamed && delivery.neverStreams !== true) {
    const events = writer.events(answer, model);
    const all = errorInStream === undefined ? events : [...events.slice(0, 1), writer.errorEvent(errorInStream)];
    response.writeHead(200, { 'content-type': streamType(format) });
    await send(response, framed(format, delivery.leavesOutEnd === true ? withoutEnd(format, all) : all), delivery);
  } else {
    response.writeHead(200, { 'content-type': 'application/json' });
    const body = errorInStream === undefined ? writer.whole(answer, model) : writer.error(errorInStream);
    await send(response, JSON.stringify(body), delivery);
  }
}

const headersOf = ({ headers = {} }: RawResponse): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
  );

/** The events without those that show that the response is complete. */
const withoutEnd = (format: ModelFormat, events: readonly WrittenEvent[]): readonly WrittenEvent[] =>
  events.slice(0, format === 'openai-chat' ? -3 : -1);

async function send(response: ServerResponse, text: string, delivery: Delivery): Promise<void> {
  const { chunkBytes, pauseMs = 0, cutAt } = delivery;
  const whole = Buffer.from(text);
  const bytes = cutAt === undefined ? whole : whole.subarray(0, Math.floor(whole.length * cutAt));
  const size = chunkBytes ?? Math.max(1, bytes.length);
  for (let at = 0; at < bytes.length && !response.destroyed; at += size) {
    response.write(bytes.subarray(at, at + size));
    if (pauseMs > 0) await setTimeout(pauseMs);
    // one packet for each write, or nearly
    else if (chunkBytes !== undefined) await new Promise(setImmediate);
  }
  if (cutAt === undefined) return void response.end();
  // until the bytes have left
  await setTimeout(20);
  response.destroy();
}

/** Variable with the path of a file to which every request to the stand-in is added, as one line of JSON. */
const FILE = 'MODEL_REQUESTS_FILE';

/** Records a request for a check of all requests that tests send. Nothing happens without the variable. */
function recordRequest({ format, path, body }: ModelRequest): void {
  const file = process.env[FILE];
  if (file !== undefined && file !== '') appendFileSync(file, `${JSON.stringify({ format, path, body })}\n`);
}
