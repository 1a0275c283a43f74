import { setTimeout } from 'node:timers/promises';
import { OutboundError, type OutboundStream, type OutboundStreamRequest, type OutboundStreams } from '@weft/outbound';
import type { JsonObject } from '@weft/service-kit/json-values';
import type { ChatSettings } from '../chat-model';
import { DEFAULTS, LIMITS, MAX_RETRIES, timeoutOf } from '../limits';
import type { ModelError } from '../model-error';
import { JsonRefused, readJson } from '../wire/read-json';
import { failureOf } from './failures';

/** Ports of a model. */
export interface ModelDeps {
  readonly http: OutboundStreams;
  /** Waits, or rejects with the reason of the signal. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Removes secrets from a response: a service may repeat what it was sent. */
  readonly withoutSecrets: (json: JsonObject) => JsonObject;
}

/** Ports of a client. `sleep` and `random` are those of the process if absent, and no secret is known. */
export type GivenDeps = Pick<ModelDeps, 'http'> & Partial<ModelDeps>;

/** Completes the ports of a client. */
export const completeDeps = (given: GivenDeps): ModelDeps => ({
  withoutSecrets: (json) => json,
  sleep: (ms, signal) => setTimeout(ms, undefined, signal === undefined ? {} : { signal }),
  random: Math.random,
  ...given,
});

/** Wait before the first retry, which doubles with each, in milliseconds. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
/** A service that asks for a longer wait than this is not waited for. */
const MAX_RETRY_AFTER_MS = 60_000;

/** A response, before its body. */
export type OpenedResponse = Pick<OutboundStream, 'status' | 'headers' | 'chunks' | 'cancel'>;

/**
 * Sends a request until a service responds with a status of success. 429, 5xx and connections that fail are retried;
 * a response that has begun never is. All tries and waits share the time of the call.
 * @throws ModelError for the last refusal, OutboundError if the service cannot be reached
 */
export async function sendWithRetries(
  deps: ModelDeps,
  request: Omit<OutboundStreamRequest, 'timeoutMs'>,
  settings: ChatSettings,
  model: string,
): Promise<OpenedResponse> {
  const timeoutMs = timeoutOf(settings);
  const endsAt = performance.now() + timeoutMs;
  const retries = Math.min(Math.max(0, Math.trunc(settings.maxRetries ?? DEFAULTS.maxRetries)), MAX_RETRIES);
  for (let attempt = 0; ; attempt += 1) {
    const failure = await attemptOnce(deps, { ...request, timeoutMs: Math.ceil(endsAt - performance.now()) }, model);
    if (!(failure instanceof Error)) return failure;
    const waitMs = attempt < retries ? waitBefore(failure, attempt, deps.random) : undefined;
    if (waitMs === undefined || performance.now() + waitMs >= endsAt) throw failure;
    await waitFor(deps, waitMs, request.signal);
  }
}

async function waitFor({ sleep }: ModelDeps, ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, signal);
  } catch (error) {
    if (signal?.aborted === true) throw new OutboundError('ABORTED', 'The request was given up because the run ended.');
    throw error;
  }
}

/** @returns the response, or a failure that may be retried @throws every other failure */
async function attemptOnce(
  { http, withoutSecrets }: ModelDeps,
  request: OutboundStreamRequest,
  model: string,
): Promise<OpenedResponse | ModelError | OutboundError> {
  try {
    const response = await http.stream({ ...request, maxResponseBytes: LIMITS.responseBytes });
    if (response.status >= 200 && response.status < 300) return response;
    // before anything is cut: a part of a secret would not be found
    const body = withoutSecrets({ body: await readErrorBody(response) })['body'] ?? null;
    return failureOf({ status: response.status, headers: response.headers, body }, model);
  } catch (error) {
    if (error instanceof OutboundError) return error;
    throw error;
  }
}

/** Milliseconds to wait before the next try; undefined if it would not help. */
function waitBefore(failure: ModelError | OutboundError, attempt: number, random: () => number): number | undefined {
  if (failure instanceof OutboundError) {
    const isRetried = failure.code === 'CONNECTION_LOST' || failure.code === 'CONNECTION_REFUSED';
    return isRetried ? backoff(attempt, random) : undefined;
  }
  if (failure.code !== 'RATE_LIMITED' && failure.code !== 'UNAVAILABLE') return undefined;
  const { retryAfterMs } = failure;
  if (retryAfterMs === undefined) return backoff(attempt, random);
  return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : retryAfterMs;
}

const backoff = (attempt: number, random: () => number): number =>
  Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt) * (1 - random() / 4);

/** The body of an error: parsed, or its text. One that is too long or cut off is used in part. */
async function readErrorBody(response: OutboundStream) {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.chunks) {
      bytes += chunk.length;
      if (bytes > LIMITS.errorBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof OutboundError) || error.code === 'ABORTED') throw error;
  }
  const text = Buffer.concat(chunks).toString('utf8');
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error;
    return text;
  }
}
