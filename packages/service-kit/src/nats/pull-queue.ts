import { createInbox, nanos, NatsError, type Msg, type NatsConnection, type Subscription } from 'nats';
import { drained, isConnected } from './connect';
import type { WorkQueue } from './work-queue';

/**
 * One message of a work queue. Acknowledgements identify it by sequence numbers, which a broker that lost its store
 * reuses, so a late one could remove another message. Messages from a lost connection are therefore not acknowledged; a
 * broker that still has them delivers them again.
 */
export interface QueueMessage {
  readonly data: Uint8Array;
  /** Number of messages waiting behind it. */
  readonly pending: number;
  /** Removes it from the queue. */
  readonly ack: () => void;
  /** Returns it for redelivery after this many milliseconds. */
  readonly nak: (delayMs: number) => void;
}

/** Pulls from one queue, one at a time. */
export interface QueuePulls {
  /**
   * Pulls messages, and resolves when `count` have arrived, the time is over, or the connection is lost.
   * @throws NatsError if the consumer is missing, or the broker is unreachable or does not respond
   */
  readonly pull: (count: number, expiresMs: number) => Promise<void>;
  /** Withdraws the request. Resolves when no message is in flight any more, or after 2 s if the broker hangs. */
  readonly drain: () => Promise<void>;
}

interface Pull {
  readonly reply: string;
  left: number;
  readonly end: (error?: Error) => void;
}

/** Statuses that end a pull normally: no messages, or timeout. */
const ENDED: ReadonlySet<number> = new Set([404, 408]);
const NO_STATUS = 0;
/** Time after a pull's expiry until its status counts as lost. */
const GRACE_MS = 1_000;

/**
 * Number of parts of an acknowledgement address without a domain, whose last part is the number of waiting messages.
 */
const SHORT_ADDRESS_PARTS = 9;
const LONG_ADDRESS_PENDING = 10;

/** The number of waiting messages, from the address: https://docs.nats.io, "JetStream ack reply subject". */
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
 * Opens pulls over one subscription. The client's own pulls end by unsubscribing, which loses messages in flight until
 * their ack wait is over; here they are still delivered.
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
    // The status of an earlier pull, or a heartbeat.
    if (subject !== current?.reply || code < 400) return;
    current.end(ENDED.has(code) ? undefined : new NatsError(description, String(code)));
  };
  const subscribe = (): Subscription =>
    connection.subscribe(`${inbox}.*`, {
      callback: (error, message) => {
        if (error !== null) return fail(error);
        // A message of the queue arrives under the queue's own subject.
        if (message.subject.startsWith(inbox)) return onStatus(message);
        if (current !== undefined) {
          current.left -= 1;
          if (current.left <= 0) current.end();
        }
        onMessage(toQueueMessage(message, () => losses));
      },
    });
  /** Starts over with the next pull: the subscription is no longer reliable. */
  const fail = (error: Error): void => {
    subscription?.drain().catch(() => undefined);
    subscription = undefined;
    current?.end(error);
  };
  // The broker forgets the pulls of a lost connection.
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
        // The client would buffer this request and every later one until it reconnects.
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
      // Without a connection nothing is in flight.
      if (subscription !== undefined && isConnected(connection)) await drained(subscription.drain());
      current?.end();
    },
  };
};
