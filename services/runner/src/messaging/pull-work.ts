import { setTimeout as sleep } from 'node:timers/promises';
import {
  decodeExecutionIds,
  decodeOffer,
  encodeExecutionIds,
  MAX_IDS_PER_MESSAGE,
  type ExecutionOffer,
  type ExecutionQueueNames,
  type WorkQueueNames,
} from '@weft/proto/execution-queue';
import { createFaultLog, type Logger } from '@weft/service-kit/logging';
import { isConnected, openPulls, type NatsConnection, type QueueMessage } from '@weft/service-kit/nats';
import type { FreeSlots } from '../domain/claims/shares/slots';
import { noteTurn } from '@weft/service-kit/metrics';

/**
 * Outcome of a message. `answered`: the service responded about all of its ids. `again`: some must be redelivered.
 * `elsewhere`: some are for other runners.
 */
export type MessageOutcome = 'answered' | 'again' | 'elsewhere';

/** Takes slots for the ids of one message. */
export type TakeIds = (ids: readonly string[], slots: FreeSlots) => Promise<MessageOutcome>;

/** The pull loop of one runner. */
export interface WorkPuller {
  /** False when NATS was not asked for a long time. */
  readonly isAlive: () => boolean;
  /** Whether the queue exceeded the capacity of this runner at the last pull. */
  readonly isBehind: () => boolean;
  /** Stops pulling. Messages that still arrive with the last pull are returned at once, for another runner. */
  readonly stop: () => Promise<void>;
}

/** Short, because the queue counts as empty only when a whole pull has brought nothing. */
const PULL_MS = 3_000;
const RETRY_MS = 500;
const NAK_MS = 1_000;
/** Messages for other runners may be redelivered here, and must not fill the slots. */
const ELSEWHERE_MS = 10_000;
/** Delay until memory is checked again when there is no room. */
const NO_ROOM_MS = 100;
const STUCK_MS = 60_000;

const acknowledge = async (
  message: QueueMessage,
  ids: readonly string[],
  slots: FreeSlots,
  take: TakeIds,
): Promise<void> => {
  const outcome = await take(ids, slots);
  if (outcome === 'answered') message.ack();
  else message.nak(outcome === 'again' ? NAK_MS : ELSEWHERE_MS);
};

/** Number of ids per message, estimated from the last ones. */
const createForecast = () => {
  let expected = MAX_IDS_PER_MESSAGE;
  return {
    learn: (count: number): void => {
      expected += (Math.max(1, count) - expected) / 8;
    },
    messagesFor: (freeSlots: number): number => Math.max(1, Math.floor(freeSlots / expected)),
  };
};

/**
 * Pulls as many messages as fill the free slots, repeatedly, while there is room. A message is acknowledged when the
 * claims of all its ids have responses; a missing consumer is looked up until it exists again.
 * @param hasRoom whether there is memory for more.
 */
export const pullWork = (
  connection: NatsConnection,
  names: WorkQueueNames,
  slots: FreeSlots,
  hasRoom: () => boolean,
  take: TakeIds,
  logger: Logger,
): WorkPuller => {
  const forecast = createForecast();
  let isStopped = false;
  let isBehind = false;
  let lastTurn = performance.now();

  let isEmpty = true;
  const pulls = openPulls(connection, names, (message) => {
    isEmpty = false;
    // Each message has the number of those behind it.
    isBehind = message.pending > 0;
    if (isStopped) return message.nak(NAK_MS);
    const ids = decodeExecutionIds(message.data);
    forecast.learn(ids.length);
    acknowledge(message, ids, slots, take).catch((error: unknown) =>
      logger.warn({ err: error }, 'a message could not be acknowledged'),
    );
  });

  const pull = async (): Promise<void> => {
    if (!hasRoom()) return void (await sleep(NO_ROOM_MS));
    // Logged by the connection: nothing can be pulled now.
    if (!isConnected(connection)) return void (await sleep(RETRY_MS));
    // Another run may have taken the slot since; waiting ones are notified first.
    if (slots.free() === 0) return;
    isEmpty = true;
    await pulls.pull(forecast.messagesFor(slots.free()), PULL_MS);
    if (isEmpty) isBehind = false;
  };
  const faults = createFaultLog(logger, 'pulling work failed');
  const run = async (): Promise<void> => {
    while (!isStopped) {
      await slots.whenFree();
      if (isStopped) return;
      lastTurn = performance.now();
      noteTurn('pull', PULL_MS);
      try {
        await pull();
        faults.worked();
      } catch (error) {
        faults.failed({ err: error });
        await sleep(RETRY_MS);
      }
    }
  };
  const running = run();
  return {
    isBehind: () => isBehind,
    isAlive: () => performance.now() - lastTurn < STUCK_MS || slots.free() === 0,
    stop: async () => {
      isStopped = true;
      slots.close();
      await pulls.drain();
      await running;
    },
  };
};

/**
 * Subscribes to offers of executions that are not stored yet: each goes to one runner, which claims what it accepts and
 * responds with the declined ids, if any. A hint like every message: a forged one makes a runner claim what does not
 * exist.
 * @returns a function that ends the subscription
 */
export const subscribeToOffers = (
  connection: NatsConnection,
  { offersSubject, consumer }: ExecutionQueueNames,
  onOffer: (offer: ExecutionOffer) => Promise<readonly string[]>,
): (() => void) => {
  const subscription = connection.subscribe(offersSubject, {
    queue: consumer,
    callback: (error, message) => {
      const offer = error === null ? decodeOffer(message.data) : undefined;
      if (offer === undefined) return;
      // Without a response or a claim the replica considers the offer declined.
      onOffer(offer)
        .then((refused) => {
          if (refused.length > 0) message.respond(encodeExecutionIds(refused));
        })
        .catch(() => undefined);
    },
  });
  return () => subscription.unsubscribe();
};
