import type { WebhookSettings } from '@weft/proto/channels';
import type { FindWaitResponse } from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import { ServiceError } from '@weft/service-kit/errors';
import { createShares } from '@weft/service-kit/in-flight';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { withoutTrailing } from '@weft/service-kit/text';
import type { Clients } from '../../clients';
import { WaitNotFound } from '../../errors';

/** The address of a waiting run, parsed from a request. */
export interface WaitingAddress {
  readonly token: string;
  readonly suffix: string;
  /** Without the question mark. */
  readonly query: string;
}

/** A run waiting for a call at an address. */
export interface OpenWait {
  readonly wait: FindWaitResponse;
  readonly settings: WebhookSettings;
  /** HTTP methods that wake the run. */
  readonly methods: readonly string[];
}

const TOKEN = /^[\w-]{16,200}$/;

/** True if a string has the format of a run's token. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** Reads `<root><token>/<suffix>?<query>`. @throws WaitNotFound if it is malformed */
export const readWaitingAddress = (request: IncomingMessage, root: string): WaitingAddress => {
  const [path = '', ...query] = (request.url ?? '').slice(root.length).split('?');
  const [token = '', ...suffix] = path.split('/');
  if (!isToken(token)) throw new WaitNotFound();
  try {
    return { token, suffix: withoutTrailing(decodeURIComponent(suffix.join('/')), '/'), query: query.join('?') };
  } catch {
    throw new WaitNotFound();
  }
};

/**
 * Milliseconds for which a call that arrives before its run waits is held, by the error of the executions service: a
 * caller may be faster than the run it got the address from, and even than the record of its publication.
 */
const EARLY_CALL_MS: ReadonlyMap<string, number> = new Map([
  ['EXECUTION_NOT_WAITING_YET', 10_000],
  ['RESUME_TOKEN_UNKNOWN', 700],
]);
/** Maximum number of held calls with unpublished tokens, in total and per client address. */
const MAX_UNKNOWN = 50;
const MAX_UNKNOWN_OF_CLIENT = 5;
const unknown = createShares(MAX_UNKNOWN, MAX_UNKNOWN_OF_CLIENT);

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 500;

/** Time at which a call with this error is given up, in Unix milliseconds; now if waiting does not help. */
const endOf = (error: unknown, begin: number): number => {
  const waitMs = error instanceof ServiceError ? (EARLY_CALL_MS.get(error.reason) ?? 0) : 0;
  return Math.min(begin + waitMs, performance.now() + remainingMs(2 * waitMs) / 2);
};

/** Looks up the wait of a token. */
type FindWait = Clients['executions']['calls']['findWait'];

const isUnknown = (error: unknown): boolean => error instanceof ServiceError && error.reason === 'RESUME_TOKEN_UNKNOWN';

/**
 * Looks up a wait, repeatedly while the run may not have reached its first wait yet. Only a few calls are repeated, so
 * that guessed tokens cannot use up the capacity of the service.
 * @throws ServiceError
 */
export const findWaitSoon = async (token: string, client: string, findWait: FindWait): Promise<FindWaitResponse> => {
  try {
    return await findWait({ resumeToken: token });
  } catch (error) {
    if (isUnknown(error) && !unknown.take(client, 1)) throw error;
    try {
      return await askAgain(token, error, findWait);
    } finally {
      if (isUnknown(error)) unknown.give(client, 1);
    }
  }
};

const askAgain = async (token: string, first: unknown, findWait: FindWait): Promise<FindWaitResponse> => {
  const begin = performance.now();
  if (begin + FIRST_DELAY_MS > endOf(first, begin)) throw first;
  await setTimeout(FIRST_DELAY_MS);
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    try {
      return await findWait({ resumeToken: token });
    } catch (error) {
      if (performance.now() + delayMs > endOf(error, begin)) throw error;
    }
    await setTimeout(delayMs);
  }
};

/**
 * Finds the run that waits for a call at an address. A run that waits for a form, or at another suffix, is not found.
 * @throws WaitNotFound; ServiceError if it no longer waits
 */
export const findOpenWait = async (
  { token, suffix }: WaitingAddress,
  client: string,
  findWait: FindWait,
): Promise<OpenWait> => {
  const wait = await findWaitSoon(token, client, findWait);
  const { channel, suffix: expected } = wait.settings ?? {};
  if (channel?.$case !== 'webhook' || channel.value.settings === undefined || expected !== suffix)
    throw new WaitNotFound();
  const { settings, methods } = channel.value;
  return { wait, settings, methods };
};
