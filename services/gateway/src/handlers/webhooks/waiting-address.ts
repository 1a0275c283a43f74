import type { FindWaitResponse } from '@weft/proto/executions';
import type { IncomingMessage } from 'node:http';
import type { Clients } from '../../clients';
import { WaitNotFound } from '../../errors';
import { readWaitSettings, type Door, type WaitSettings } from './wait-settings';

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

/** Reads `<root><token>/<suffix>?<query>`. @throws WaitNotFound if it is none */
export const readWaitingAddress = (request: IncomingMessage, root: string): WaitingAddress => {
  const [path = '', ...query] = (request.url ?? '').slice(root.length).split('?');
  const [token = '', ...suffix] = path.split('/');
  if (!TOKEN.test(token)) throw new WaitNotFound();
  try {
    return { token, suffix: decodeURIComponent(suffix.join('/')).replace(/\/+$/, ''), query: query.join('?') };
  } catch {
    throw new WaitNotFound();
  }
};

/** Finds the run that waits at an address. One that waits behind another door, or at another suffix, does not show. @throws WaitNotFound; ServiceError if it waits no more */
export const findOpenWait = async ({ token, suffix }: WaitingAddress, door: Door, { executions }: Clients): Promise<OpenWait> => {
  const wait = await executions.calls.findWait({ resumeToken: token });
  const settings = readWaitSettings(wait);
  if (settings === undefined || settings.door !== door || settings.suffix !== suffix) throw new WaitNotFound();
  return { wait, settings };
};
