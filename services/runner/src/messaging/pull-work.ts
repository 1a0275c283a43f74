import { setTimeout as sleep } from 'node:timers/promises';
import { decodeExecutionIds, MAX_IDS_PER_MESSAGE, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import type { Logger } from '@weft/service-kit/logging';
import { queueConsumer, type JsMsg, type NatsConnection } from '@weft/service-kit/nats';
import type { Slots } from '../domain/slots';

/**
 * Takes the ids of one message. True: the service answered about all of them, whatever it said. False: some must be
 * delivered again.
 */
export type TakeIds = (ids: readonly string[]) => Promise<boolean>;

/** The pulling of one runner. */
export interface WorkPuller {
  /** False when nothing was asked of NATS for a long time. */
  readonly isAlive: () => boolean;
  /** Pulls no more. Messages that still come with the last pull are returned at once and come to another runner. */
  readonly stop: () => Promise<void>;
}

/**
 * Short, because a runner that stops waits for the end of its last pull: what comes by then would else be missed for
 * the whole ack wait. Not shorter, because the client stops listening 5 % of it after the end, and a busy process that
 * reads a message later than that misses it in the same way.
 */
const PULL_MS = 3_000;
const RETRY_MS = 500;
const NAK_MS = 1_000;
/** Delay until memory is checked again when there is no room. */
const NO_ROOM_MS = 100;
const STUCK_MS = 60_000;

/** Counts losses of the connection. */
const countLosses = (connection: NatsConnection): (() => number) => {
  let losses = 0;
  const watch = async (): Promise<void> => {
    for await (const { type } of connection.status()) if (type === 'disconnect') losses += 1;
  };
  // It ends with the connection.
  void watch();
  return () => losses;
};

/**
 * An acknowledgement names its message by numbers, which a broker that lost its store assigns again: one that comes
 * late would take the message of another run off the new queue. What came over a connection that was lost meanwhile is
 * not answered; a broker that still knows it delivers it once more, and claiming what is done costs nothing.
 */
const acknowledge = async (
  message: JsMsg,
  ids: readonly string[],
  take: TakeIds,
  losses: () => number,
): Promise<void> => {
  const before = losses();
  const isDone = await take(ids);
  if (losses() !== before) return;
  if (isDone) message.ack();
  else message.nak(NAK_MS);
};

/** Number of ids in a message, estimated from the last ones. */
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
 * Pulls as many messages as fill the free slots, again and again, while there is room. A message is acknowledged when
 * the claims of all its ids were answered; a missing consumer is looked up until it exists again.
 * @param hasRoom whether there is memory for more.
 */
export const pullWork = (
  connection: NatsConnection,
  names: ExecutionQueueNames,
  slots: Slots,
  hasRoom: () => boolean,
  take: TakeIds,
  logger: Logger,
): WorkPuller => {
  const forecast = createForecast();
  let isStopped = false;
  let lastTurn = Date.now();
  const losses = countLosses(connection);

  const pull = async (): Promise<void> => {
    const consumer = await queueConsumer(connection, names);
    while (!isStopped) {
      await slots.whenFree();
      if (isStopped) return;
      lastTurn = Date.now();
      if (!hasRoom()) {
        await sleep(NO_ROOM_MS);
        continue;
      }
      // Another run may have taken the slot since; those that wait for one are notified first.
      if (slots.free() === 0) continue;
      const messages = await consumer.fetch({ max_messages: forecast.messagesFor(slots.free()), expires: PULL_MS });
      for await (const message of messages) {
        if (isStopped) {
          message.nak(NAK_MS);
          continue;
        }
        const ids = decodeExecutionIds(message.data);
        forecast.learn(ids.length);
        acknowledge(message, ids, take, losses).catch((error: unknown) =>
          logger.warn({ err: error }, 'a message could not be acknowledged'),
        );
      }
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      try {
        await pull();
      } catch (error) {
        logger.warn({ err: error }, 'pulling work failed');
        await sleep(RETRY_MS);
      }
    }
  };
  const running = run();
  return {
    isAlive: () => Date.now() - lastTurn < STUCK_MS || slots.free() === 0,
    stop: async () => {
      isStopped = true;
      slots.close();
      await Promise.race([running, sleep(2 * PULL_MS, undefined, { ref: false })]);
    },
  };
};

/**
 * Subscribes to the ids of executions that were cancelled or ran out of time. A hint only: any client that may publish
 * here can make a runner ask about its claims, and end none of them; a lost message costs the time to the next
 * heartbeat.
 */
export const subscribeToStopped = (
  connection: NatsConnection,
  { stoppedSubject }: ExecutionQueueNames,
  onStopped: (executionIds: readonly string[]) => void,
): void => {
  connection.subscribe(stoppedSubject, {
    callback: (error, message) => {
      if (error === null) onStopped(decodeExecutionIds(message.data));
    },
  });
};
