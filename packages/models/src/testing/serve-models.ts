import { isJsonObject, type JsonObject, textField } from '@weft/service-kit/json-values';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { ModelFormat } from '../chat-model';
import { framed } from './framed';
import { sendHostile } from './hostile-bodies';
import type { Delivery, FormatWriter, ScriptStep, WrittenEvent } from './script';
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
export interface ModelServer {
  /** Without a path. */
  readonly url: string;
  readonly port: number;
  readonly seen: ModelRequest[];
  /** The latest request. Throws if there was none. */
  last(): ModelRequest;
  /** Sets the responses to the next requests. The last step is repeated. */
  play(...steps: readonly ScriptStep[]): void;
  /** Bytes that the kernel accepted, of all responses so far. */
  bytesSent(): number;
  openSockets(): number;
  close(): Promise<void>;
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
  const sockets = new Set<Socket>();
  let steps: readonly ScriptStep[] = [];
  let next = 0;
  let closedBytes = 0;
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const path = request.url ?? '';
    const format = formatOf(path);
    if (format === undefined || body === undefined) return void response.writeHead(404).end('no such path');
    const isStreamed = wantsStream(format, path, body);
    seen.push({ format, isStreamed, path, headers: request.headers, body });
    const step = steps[Math.min(next, steps.length - 1)] ?? {};
    next += 1;
    // a client that leaves early ends the response
    await respond(step, format, isStreamed, modelOf(path, body), response).catch(() => response.destroy());
  };
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      closedBytes += socket.bytesWritten;
      sockets.delete(socket);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    last: () => {
      const last = seen.at(-1);
      if (last === undefined) throw new Error('The server has seen no request.');
      return last;
    },
    play: (...wanted) => {
      steps = wanted;
      next = 0;
    },
    bytesSent: () => [...sockets].reduce((sum, { bytesWritten }) => sum + bytesWritten, closedBytes),
    openSockets: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
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

async function bodyOf(request: IncomingMessage): Promise<JsonObject | undefined> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
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
  const { answer = { text: '' }, error, errorInStream, hostile, delivery = {} } = step;
  if (hostile !== undefined) return sendHostile(hostile, { format, isStreamed, writer, response });
  if (error !== undefined) {
    response.writeHead(error.status, { 'content-type': 'application/json', ...error.headers });
    response.end(JSON.stringify(writer.error(error)));
    return;
  }
  if (isStreamed && delivery.neverStreams !== true) {
    const events = writer.events(answer, model);
    const all = errorInStream === undefined ? events : [...events.slice(0, 1), writer.errorEvent(errorInStream)];
    response.writeHead(200, { 'content-type': format === 'ollama' ? 'application/x-ndjson' : 'text/event-stream' });
    await send(response, framed(format, delivery.leavesOutEnd === true ? withoutEnd(format, all) : all), delivery);
  } else {
    response.writeHead(200, { 'content-type': 'application/json' });
    const body = errorInStream === undefined ? writer.whole(answer, model) : writer.error(errorInStream);
    await send(response, JSON.stringify(body), delivery);
  }
}

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
