import type { WebhookSettings } from '@weft/proto/channels';
import type { FindWaitResponse } from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import { ServiceError } from '@weft/service-kit/errors';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Clients } from '../../clients';
import { WaitNotFound } from '../../errors';

/** The address of a waiting run, as named by a request. */
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

/** True if a string has the form of a run's token. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** Reads `<root><token>/<suffix>?<query>`. @throws WaitNotFound if it is malformed */
export const readWaitingAddress = (request: IncomingMessage, root: string): WaitingAddress => {
  const [path = '', ...query] = (request.url ?? '').slice(root.length).split('?');
  const [token = '', ...suffix] = path.split('/');
  if (!isToken(token)) throw new WaitNotFound();
  try {
    return { token, suffix: decodeURIComponent(suffix.join('/')).replace(/\/+$/, ''), query: query.join('?') };
  } catch {
    throw new WaitNotFound();
  }
};

/**
 * Time for which a call that arrives before its run waits is held, by the error of the executions service: a caller
 * who got the address may be faster than the run, and even than the record that the run has published it.
 */
const EARLY_CALL_MS: ReadonlyMap<string, number> = new Map([
  ['EXECUTION_NOT_WAITING_YET', 10_000],
  ['RESUME_TOKEN_UNKNOWN', 700],
]);
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 500;

/** Time at which a call with this error is given up, in Unix milliseconds; at once if waiting does not help. */
const endOf = (error: unknown, begin: number): number => {
  const waitMs = error instanceof ServiceError ? (EARLY_CALL_MS.get(error.reason) ?? 0) : 0;
  return Math.min(begin + waitMs, Date.now() + remainingMs(2 * waitMs) / 2);
};

/** Retries while the run may not have reached its first wait yet. @throws ServiceError */
const findWaitSoon = async (token: string, { calls }: Clients['executions']): Promise<FindWaitResponse> => {
  const begin = Date.now();
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    try {
      return await calls.findWait({ resumeToken: token });
    } catch (error) {
      if (Date.now() + delayMs > endOf(error, begin)) throw error;
    }
    await setTimeout(delayMs);
  }
};

/**
 * Finds the run that waits for a call at an address. One that waits for a form, or at another suffix, is not found.
 * @throws WaitNotFound; ServiceError if it no longer waits
 */
export const findOpenWait = async ({ token, suffix }: WaitingAddress, { executions }: Clients): Promise<OpenWait> => {
  const wait = await findWaitSoon(token, executions);
  const { channel, suffix: expected } = wait.settings ?? {};
  if (channel?.$case !== 'webhook' || channel.value.settings === undefined || expected !== suffix)
    throw new WaitNotFound();
  const { settings, methods } = channel.value;
  return { wait, settings, methods };
};
