import type { WebhookSettings } from '@weft/proto/channels';
import type { FindWaitResponse } from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import { ServiceError } from '@weft/service-kit/errors';
import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { Clients } from '../../clients';
import { WaitNotFound } from '../../errors';

/** The address of a run that waits, as a request names it. */
export interface WaitingAddress {
  readonly token: string;
  readonly suffix: string;
  /** Without the question mark. */
  readonly query: string;
}

/** A run that waits for a call at an address. */
export interface OpenWait {
  readonly wait: FindWaitResponse;
  readonly settings: WebhookSettings;
  /** HTTP methods that wake the run. */
  readonly methods: readonly string[];
}

const TOKEN = /^[\w-]{16,200}$/;

/** True for what may be the token of a run. */
export const isToken = (text: string): boolean => TOKEN.test(text);

/** Reads `<root><token>/<suffix>?<query>`. @throws WaitNotFound if it is none */
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
 * How long a call is held that comes before its run waits, by what the executions service says: whoever was given the
 * address may be faster than the run, and even than the news that it gave the address out.
 */
const EARLY_CALL_MS: ReadonlyMap<string, number> = new Map([
  ['EXECUTION_NOT_WAITING_YET', 10_000],
  ['RESUME_TOKEN_UNKNOWN', 700],
]);
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 500;

/** When a call that failed so is given up, in Unix milliseconds; at once if waiting does not help. */
const endOf = (error: unknown, begin: number): number => {
  const waitMs = error instanceof ServiceError ? (EARLY_CALL_MS.get(error.reason) ?? 0) : 0;
  return Math.min(begin + waitMs, Date.now() + remainingMs(2 * waitMs) / 2);
};

/** Asks again while the run may be on its way to its first wait. @throws ServiceError */
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
 * Finds the run that waits for a call at an address. One that waits for a form, or at another suffix, does not show.
 * @throws WaitNotFound; ServiceError if it waits no more
 */
export const findOpenWait = async ({ token, suffix }: WaitingAddress, { executions }: Clients): Promise<OpenWait> => {
  const wait = await findWaitSoon(token, executions);
  const { channel, suffix: expected } = wait.settings ?? {};
  if (channel?.$case !== 'webhook' || channel.value.settings === undefined || expected !== suffix)
    throw new WaitNotFound();
  const { settings, methods } = channel.value;
  return { wait, settings, methods };
};
