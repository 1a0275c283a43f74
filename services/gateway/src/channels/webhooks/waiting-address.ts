import type { FindWaitResponse } from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import { InternalError, ServiceError } from '@weft/service-kit/errors';
import { isJsonObject, type JsonObject, parseJson } from '@weft/service-kit/json';
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

/** A run that waits at an address. */
export interface OpenWait {
  readonly wait: FindWaitResponse;
  readonly settings: WaitSettings;
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
const PATIENCE_MS: ReadonlyMap<string, number> = new Map([
  ['EXECUTION_NOT_WAITING_YET', 10_000],
  ['RESUME_TOKEN_UNKNOWN', 700],
]);
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 500;

/** When a call that failed so is given up, in Unix milliseconds; at once if waiting does not help. */
const endOf = (error: unknown, begin: number): number => {
  const patienceMs = error instanceof ServiceError ? (PATIENCE_MS.get(error.reason) ?? 0) : 0;
  return Math.min(begin + patienceMs, Date.now() + remainingMs(2 * patienceMs) / 2);
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
 * Finds the run that waits at an address. One that waits behind another channel, or at another suffix, does not show.
 * @throws WaitNotFound; ServiceError if it waits no more
 */
export const findOpenWait = async (
  { token, suffix }: WaitingAddress,
  channel: InboundChannel,
  { executions }: Clients,
): Promise<OpenWait> => {
  const wait = await findWaitSoon(token, executions);
  const settings = readWaitSettings(wait);
  if (settings === undefined || settings.channel !== channel || settings.suffix !== suffix) throw new WaitNotFound();
  return { wait, settings };
};

/** Which address ends a wait: /webhook-waiting or /form-waiting. */
export type InboundChannel = 'webhook' | 'form';

/** Settings of a wait: which callers may wake the run, and how. */
export interface WaitSettings {
  readonly channel: InboundChannel;
  /** Path that must follow the token in the address; empty: none. */
  readonly suffix: string;
  /** Agreed between the node that waits and the handler of the channel. */
  readonly rest: JsonObject;
}

/** Reads the settings of a wait. One without any, of a token that only programs know, is behind no channel. */
export const readWaitSettings = ({ settingsJson }: FindWaitResponse): WaitSettings | undefined => {
  if (settingsJson === '') return undefined;
  const settings = parseJson(Buffer.from(settingsJson));
  if (!isJsonObject(settings)) throw new InternalError(new Error('The settings of a wait are no object.'));
  const { channel, suffix } = settings;
  if ((channel !== 'webhook' && channel !== 'form') || typeof suffix !== 'string')
    throw new InternalError(new Error('The settings of a wait name no channel.'));
  return { channel, suffix, rest: settings };
};
