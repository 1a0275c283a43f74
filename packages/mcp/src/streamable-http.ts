import { asRpcError, handleRequest } from './handle-request';
import { INVALID_REQUEST, RpcError } from './errors';
import type { CallContext, McpHost } from './host';
import { fieldOf, type Json } from './json';
import { errorText, idOf, notificationText, readMessage, resultText, type RpcRequest } from './messages';
import { createProgressStream } from './progress-stream';
import {
  BATCH_VERSION,
  checkModernRequest,
  declaresVersion,
  headerOf,
  isModern,
  versionOfHeader,
  type Headers,
} from './versions';

/** A POST to the endpoint, whose caller is authenticated. */
export interface HttpPost {
  readonly headers: Headers;
  /** The parsed body, within the limits of the host. */
  readonly body: Json;
  /** Aborted when the client closes the connection. */
  readonly signal: AbortSignal;
}

/** A response. The parts of a stream are Server-Sent Events. */
export type PostResponse =
  | { readonly kind: 'json'; readonly status: number; readonly text: string }
  | { readonly kind: 'accepted' }
  | { readonly kind: 'stream'; readonly parts: AsyncIterable<string> };

const MAX_BATCH = 20;

const refuse = (message: string): RpcError => new RpcError(INVALID_REQUEST, message, 400);

/** A response that refuses a request as a whole, for an error that the host has found. */
export const refusal = (code: number, message: string, status: number): PostResponse => ({
  kind: 'json',
  status,
  text: errorText(undefined, new RpcError(code, message), true),
});

interface Accepted {
  readonly json: boolean;
  readonly stream: boolean;
}

const acceptedOf = (headers: Headers): Accepted => {
  const accept = (headerOf(headers, 'accept') ?? '*/*').toLowerCase();
  const isAny = accept.includes('*/*');
  return {
    json: isAny || accept.includes('application/json') || accept.includes('application/*'),
    stream: accept.includes('text/event-stream'),
  };
};

const tokenOf = ({ params }: RpcRequest): string | number | undefined => {
  const token = fieldOf(fieldOf(params, '_meta'), 'progressToken');
  if (typeof token === 'string') return token.length <= 256 ? token : undefined;
  return typeof token === 'number' && Number.isSafeInteger(token) ? token : undefined;
};

/** Runs a request; an error becomes its response. Never rejects. */
export const outcomeOf = async (request: RpcRequest, modern: boolean, host: McpHost, context: CallContext) => {
  try {
    return { status: 200, text: resultText(request.id, await handleRequest(request, modern, host, context)) };
  } catch (thrown) {
    const error = asRpcError(thrown, host);
    return { status: error.status, text: errorText(request.id, error, !modern) };
  }
};

/**
 * Answers a request: with JSON if it ends before any progress is reported, otherwise with a stream of its progress that
 * ends with the response. A stream also keeps proxies from ending a long call.
 */
const answerRequest = async (
  request: RpcRequest,
  modern: boolean,
  host: McpHost,
  { headers, signal }: HttpPost,
): Promise<PostResponse> => {
  const accepted = acceptedOf(headers);
  const stream = createProgressStream();
  const token = tokenOf(request);
  let steps = 0;
  const context: CallContext = {
    signal,
    ...(token === undefined || !accepted.stream
      ? {}
      : {
          progress: (message: string) => {
            steps += 1;
            stream.push(notificationText('notifications/progress', { progressToken: token, progress: steps, message }));
          },
        }),
  };
  const outcome = outcomeOf(request, modern, host, context);
  const firstOf = accepted.json ? Promise.race([outcome, stream.begun]) : undefined;
  void outcome.then(({ text }) => stream.end(text));
  const first = accepted.stream ? await firstOf : await outcome;
  if (first !== undefined) return { kind: 'json', ...first };
  return { kind: 'stream', parts: stream.parts() };
};

/** Answers the requests of a batch one after another, so that a batch takes no more at once than a single request. */
const answerBatch = async (batch: readonly Json[], host: McpHost, { signal }: HttpPost): Promise<PostResponse> => {
  if (batch.length === 0 || batch.length > MAX_BATCH)
    throw refuse(`A batch must have 1 to ${MAX_BATCH} messages; this one has ${batch.length}.`);
  const texts: string[] = [];
  let requests = 0;
  for (const entry of batch) {
    if (signal.aborted) break;
    try {
      const message = readMessage(entry);
      if (message.kind !== 'request') continue;
      if (message.method === 'initialize') throw refuse('initialize must not be part of a batch.');
      if (requests > 0) await host.admit();
      requests += 1;
      texts.push((await outcomeOf(message, false, host, { signal })).text);
    } catch (error) {
      texts.push(errorText(idOf(entry), asRpcError(error, host), true));
    }
  }
  return texts.length === 0 ? { kind: 'accepted' } : { kind: 'json', status: 200, text: `[${texts.join(',')}]` };
};

const answerMessage = async (host: McpHost, post: HttpPost): Promise<PostResponse> => {
  const { headers, body } = post;
  const { json, stream } = acceptedOf(headers);
  if (!json && !stream) throw new RpcError(INVALID_REQUEST, 'Accept application/json and text/event-stream.', 406);
  const version = versionOfHeader(headers);
  if (Array.isArray(body)) {
    if (version !== BATCH_VERSION) throw refuse(`Version ${version} has no batches: send one message per request.`);
    return answerBatch(body, host, post);
  }
  const message = readMessage(body);
  const modern = isModern(version) || (message.kind === 'request' && declaresVersion(message));
  if (message.kind === 'response' && modern) throw refuse('This server sends no requests, so it accepts no responses.');
  // Notifications need no action: a call is cancelled by closing its connection.
  if (message.kind !== 'request') return { kind: 'accepted' };
  if (modern) checkModernRequest(headers, message);
  return answerRequest(message, modern, host, post);
};

/** Answers a POST to the endpoint. Never throws: what is wrong with a request is in its response. */
export const answerPost = async (host: McpHost, post: HttpPost): Promise<PostResponse> => {
  try {
    return await answerMessage(host, post);
  } catch (error) {
    const rpc = asRpcError(error, host);
    return { kind: 'json', status: rpc.status, text: errorText(idOf(post.body), rpc, true) };
  }
};
