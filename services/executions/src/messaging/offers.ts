import { networkInterfaces } from 'node:os';
import { decodeExecutionIds, encodeOffer, MAX_IDS_PER_MESSAGE } from '@weft/proto/execution-queue';
import { InFlightMap } from '@weft/service-kit/in-flight';
import { createInbox, type NatsConnection, type NatsMessage } from '@weft/service-kit/nats';
import type { OfferAnswers, Offers } from '../domain/inline/in-memory-runs';
import type { WaitingClaims } from '../domain/inline/waiting-claims';
import type { Broker } from './broker';

/** Milliseconds without offers after one that no runner received. */
const CLOSED_MS = 500;

const KINDS = ['awaited', 'taken'] as const;

/** NATS error code: the subject has no subscribers. */
const NO_RESPONDERS = 503;

/** Ports of offering executions. */
export interface OfferPorts {
  readonly broker: Pick<Broker, 'connection'>;
  readonly subject: string;
  /** Claims that wait for offers: they come first. */
  readonly waiting: Pick<WaitingClaims, 'give'>;
  /** Milliseconds in which a runner must claim one of them, or decline all. */
  readonly answerMs: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

/** Offers runs of this replica once its address is known. */
export interface Offering {
  readonly open: (answers: OfferAnswers) => Offers;
  /** Sets the address at which runners claim, `host:port`. Nothing is offered before. */
  readonly announce: (address: string) => void;
}

/** An offer without a response yet. */
interface OpenOffer {
  readonly ids: readonly string[];
  readonly timer: NodeJS.Timeout;
}

/**
 * Offers executions, batching the ids of one tick of the event loop. Waiting claims get them first; the rest is sent
 * over core NATS to one runner. It claims them at the replica, waits there for more, and responds only if it does not
 * accept all.
 */
export const createOffering = (ports: OfferPorts): Offering => {
  let replica = '';
  return {
    open: (answers) => openOffers(ports, () => replica, answers),
    announce: (address) => {
      replica = address;
    },
  };
};

const openOffers = (
  { broker, subject, waiting, answerMs, clock }: OfferPorts,
  address: () => string,
  { isUnclaimed, onRefused }: OfferAnswers,
): Offers => {
  const pending: Readonly<Record<(typeof KINDS)[number], string[]>> = { awaited: [], taken: [] };
  let isScheduled = false;
  const open = new InFlightMap<string, OpenOffer>();
  let inbox: { readonly connection: NatsConnection; readonly subject: string } | undefined;
  let count = 0;
  let closedUntil = Number.NEGATIVE_INFINITY;
  /** No runner listens, or it is unhealthy: the queue works in both cases. */
  const fail = (ids: readonly string[]): void => {
    closedUntil = clock() + CLOSED_MS;
    onRefused(ids);
  };
  const onAnswer = (key: string, { headers, data }: NatsMessage): void => {
    const offer = open.get(key);
    if (offer === undefined) return;
    clearTimeout(offer.timer);
    open.delete(key);
    if (headers?.code === NO_RESPONDERS) fail(offer.ids);
    else onRefused(decodeExecutionIds(data));
  };
  const onTime = (key: string, ids: readonly string[]): void => {
    open.delete(key);
    // They are claimed together, or soon after each other.
    if (ids.every(isUnclaimed)) fail(ids);
  };
  const inboxOf = (connection: NatsConnection): string => {
    if (inbox?.connection === connection) return inbox.subject;
    const made = createInbox();
    connection.subscribe(`${made}.*`, {
      callback: (error, message) => {
        if (error === null) onAnswer(message.subject.slice(made.length + 1), message);
      },
    });
    inbox = { connection, subject: made };
    return made;
  };
  const sendSome = (ids: readonly string[], isAwaited: boolean): void => {
    const connection = broker.connection();
    const replica = address();
    if (connection === undefined || replica === '') return onRefused(ids);
    count += 1;
    const key = String(count);
    try {
      const offer = encodeOffer({ replica, isAwaited, ids });
      connection.publish(subject, offer, { reply: `${inboxOf(connection)}.${key}` });
      open.set(key, { ids, timer: setTimeout(onTime, answerMs, key, ids) });
    } catch {
      fail(ids);
    }
  };
  const send = (ids: readonly string[], isAwaited: boolean): void => {
    for (let from = 0; from < ids.length; from += MAX_IDS_PER_MESSAGE)
      sendSome(ids.slice(from, from + MAX_IDS_PER_MESSAGE), isAwaited);
  };
  const sendAll = (): void => {
    isScheduled = false;
    for (const kind of KINDS) send(waiting.give(pending[kind].splice(0)), kind === 'awaited');
  };
  return {
    isOpen: () => broker.connection() !== undefined && address() !== '' && clock() >= closedUntil,
    send: (executionId, isAwaited) => {
      if (!isScheduled) setImmediate(sendAll);
      isScheduled = true;
      pending[isAwaited ? 'awaited' : 'taken'].push(executionId);
    },
  };
};

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

const withPort = (address: string, port: number): string => {
  const colons = address.split(':').length - 1;
  if (colons === 0 || address.endsWith(']')) return `${address}:${port}`;
  // An IPv6 address without brackets has no port.
  return colons > 1 && !address.startsWith('[') ? `[${address}]:${port}` : address;
};

/**
 * Address of this replica for runners: as configured, else where it listens. A process that listens on all addresses
 * uses its first one that is not internal.
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
