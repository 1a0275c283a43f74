import { createInbox, nanos, NatsError, type Msg, type NatsConnection, type Subscription } from 'nats';
import { drained, isConnected } from './connect';
import type { WorkQueue } from './work-queue';

/**
 * One message of a work queue. An answer names it by numbers, which a broker that lost its store assigns again: one
 * that comes late would take another message off the new queue. What came over a connection that was lost meanwhile is
 * not answered; a broker that still knows it delivers it once more.
 */
export interface QueueMessage {
  readonly data: Uint8Array;
  /** Messages that wait behind it. */
  readonly pending: number;
  /** Takes it off the queue. */
  readonly ack: () => void;
  /** Returns it: it is delivered again after so many milliseconds. */
  readonly nak: (delayMs: number) => void;
}

/** Requests for messages of one queue, one at a time. */
export interface QueuePulls {
  /**
   * Asks for messages, and resolves when so many have come, the time is over, or the connection is lost.
   * @throws NatsError if the consumer is not there, or the broker cannot be asked or does not answer
   */
  readonly pull: (count: number, expiresMs: number) => Promise<void>;
  /** Withdraws the request. Resolves when no message is on its way any more, or a broker that hangs has had 2 s. */
  readonly drain: () => Promise<void>;
}

interface Pull {
  readonly reply: string;
  left: number;
  readonly end: (error?: Error) => void;
}

/** Statuses that end a request in the ordinary way: there is no message, or its time is over. */
const ENDED: ReadonlySet<number> = new Set([404, 408]);
const NO_STATUS = 0;
/** After the time of a request, until its status counts as lost. */
const GRACE_MS = 1_000;

/** The acknowledgement address of a message without a domain has so many parts, and the number of waiting ones last. */
const SHORT_ADDRESS_PARTS = 9;
const LONG_ADDRESS_PENDING = 10;

/** The number of messages that wait, from the address: https://docs.nats.io, "JetStream ack reply subject". */
const pendingOf = (address = ''): number => {
  const parts = address.split('.');
  const pending = Number(parts.length === SHORT_ADDRESS_PARTS ? parts.at(-1) : parts[LONG_ADDRESS_PENDING]);
  return Number.isFinite(pending) ? pending : 0;
};

const toQueueMessage = (message: Msg, losses: () => number): QueueMessage => {
  const before = losses();
  const answer = (text: string): void => {
    if (losses() === before) message.respond(text);
  };
  return {
    data: message.data,
    pending: pendingOf(message.reply),
    ack: () => answer('+ACK'),
    nak: (delayMs) => answer(`-NAK ${JSON.stringify({ delay: nanos(delayMs) })}`),
  };
};

/**
 * Opens requests for messages over one subscription. The client's own requests end by unsubscribing, and what is on its
 * way then is missed until its ack wait is over; here it is still delivered.
 */
export const openPulls = (
  connection: NatsConnection,
  { stream, consumer }: Pick<WorkQueue, 'stream' | 'consumer'>,
  onMessage: (message: QueueMessage) => void,
): QueuePulls => {
  const inbox = createInbox();
  let count = 0;
  let losses = 0;
  let subscription: Subscription | undefined;
  let current: Pull | undefined;

  const onStatus = ({ subject, headers }: Msg): void => {
    const { code = NO_STATUS, description = '' } = headers ?? {};
    // One of an earlier request, or a sign of life.
    if (subject !== current?.reply || code < 400) return;
    current.end(ENDED.has(code) ? undefined : new NatsError(description, String(code)));
  };
  const subscribe = (): Subscription =>
    connection.subscribe(`${inbox}.*`, {
      callback: (error, message) => {
        if (error !== null) return fail(error);
        // A message of the queue comes under the queue's own subject.
        if (message.subject.startsWith(inbox)) return onStatus(message);
        if (current !== undefined) {
          current.left -= 1;
          if (current.left <= 0) current.end();
        }
        onMessage(toQueueMessage(message, () => losses));
      },
    });
  /** Begins anew with the next request: what the subscription brings cannot be relied on. */
  const fail = (error: Error): void => {
    subscription?.drain().catch(() => undefined);
    subscription = undefined;
    current?.end(error);
  };
  // The broker forgets the requests of a connection that is lost.
  const watch = async (): Promise<void> => {
    for await (const { type } of connection.status()) {
      if (type !== 'disconnect') continue;
      losses += 1;
      current?.end();
    }
  };
  // It ends with the connection.
  void watch();

  return {
    pull: (most, expiresMs) =>
      new Promise((resolve, reject) => {
        // The client would keep the request, and every one after it, until it is connected again.
        if (!isConnected(connection)) return reject(new NatsError('not connected', 'DISCONNECT'));
        count += 1;
        const reply = `${inbox}.${count}`;
        subscription ??= subscribe();
        const limit = setTimeout(
          () => fail(new NatsError('no answer to a request for messages', 'TIMEOUT')),
          expiresMs + GRACE_MS,
        );
        current = {
          reply,
          left: most,
          end: (error) => {
            clearTimeout(limit);
            current = undefined;
            if (error === undefined) resolve();
            else reject(error);
          },
        };
        const request = JSON.stringify({ batch: most, expires: nanos(expiresMs) });
        connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`, request, { reply });
      }),
    drain: async () => {
      // Without a connection nothing is on its way.
      if (subscription !== undefined && isConnected(connection)) await drained(subscription.drain());
      current?.end();
    },
  };
};
