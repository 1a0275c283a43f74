import { networkInterfaces } from 'node:os';
import { decodeExecutionIds, encodeOffer, MAX_IDS_PER_MESSAGE } from '@weft/proto/execution-queue';
import type { Offers } from '../domain/eager-runs';
import type { Broker } from './broker';

/** Milliseconds without offers after one that no runner was there to hear. */
const CLOSED_MS = 500;

/** Ports of offering executions. */
export interface OfferPorts {
  readonly broker: Broker;
  readonly subject: string;
  /** Address at which this replica answers claims, `host:port`; empty: not known yet. */
  readonly address: () => string;
  /** Milliseconds in which a runner must answer. */
  readonly answerMs: number;
  /** No runner takes these. */
  readonly onRefused: (executionIds: readonly string[]) => void;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

/**
 * Offers executions over core NATS: ids that come in one tick of the event loop go out together, as requests that one
 * runner answers with the ids that it does not take. It claims the others at the replica.
 */
export const createOffers = ({ broker, subject, address, answerMs, onRefused, clock }: OfferPorts): Offers => {
  const pending: Readonly<Record<'awaited' | 'taken', string[]>> = { awaited: [], taken: [] };
  let closedUntil = Number.NEGATIVE_INFINITY;

  const sendSome = async (ids: readonly string[], isAwaited: boolean): Promise<void> => {
    const connection = broker.connection();
    const replica = address();
    if (connection === undefined || replica === '') return onRefused(ids);
    try {
      const { data } = await connection.request(subject, encodeOffer({ replica, isAwaited, ids }), {
        timeout: answerMs,
      });
      onRefused(decodeExecutionIds(data));
    } catch {
      // Nobody listens, or whoever does is not well: the queue serves both.
      closedUntil = clock() + CLOSED_MS;
      onRefused(ids);
    }
  };
  const send = (ids: readonly string[], isAwaited: boolean): void => {
    for (let from = 0; from < ids.length; from += MAX_IDS_PER_MESSAGE)
      void sendSome(ids.slice(from, from + MAX_IDS_PER_MESSAGE), isAwaited);
  };
  const sendAll = (): void => {
    send(pending.awaited.splice(0), true);
    send(pending.taken.splice(0), false);
  };
  return {
    isOpen: () => broker.connection() !== undefined && address() !== '' && clock() >= closedUntil,
    send: (executionId, isAwaited) => {
      if (pending.awaited.length + pending.taken.length === 0) setImmediate(sendAll);
      pending[isAwaited ? 'awaited' : 'taken'].push(executionId);
    },
  };
};

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

const withPort = (address: string, port: number): string => {
  const colons = address.split(':').length - 1;
  if (colons === 0 || address.endsWith(']')) return `${address}:${port}`;
  // An address of IPv6 without brackets has no port.
  return colons > 1 && !address.startsWith('[') ? `[${address}]:${port}` : address;
};

/**
 * Address of this replica for runners: as it is set, else where it listens. A process that listens everywhere names its
 * first address that is not internal.
 */
export const addressOf = (advertised: string, host: string, port: number): string => {
  if (advertised !== '') return withPort(advertised, port);
  if (isLoopback(host)) return `127.0.0.1:${port}`;
  if (host !== '0.0.0.0' && host !== '::') return withPort(host, port);
  const outer = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  return `${outer?.address ?? '127.0.0.1'}:${port}`;
};
