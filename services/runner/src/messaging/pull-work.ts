import { decodeExecutionIds, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import type { Logger } from '@weft/service-kit/logging';
import { queueConsumer, type JsMsg, type NatsConnection } from '@weft/service-kit/nats';
import type { Slots } from '../domain/slots';

/** Takes the ids of one message. True: the service answered, whatever it said. False: it could not be reached. */
export type TakeIds = (ids: readonly string[]) => Promise<boolean>;

/** The pulling of one runner. */
export interface WorkPuller {
  /** False when nothing was asked of NATS for a long time. */
  readonly isTurning: () => boolean;
  /** Pulls no more. Messages that were delivered and not taken come to another runner. */
  readonly stop: () => Promise<void>;
}

const PULL_MS = 2_000;
const RETRY_MS = 500;
const NAK_MS = 2_000;
const STUCK_MS = 60_000;

const settle = async (message: JsMsg, take: TakeIds): Promise<void> => {
  if (await take(decodeExecutionIds(message.data))) message.ack();
  else message.nak(NAK_MS);
};

/**
 * Pulls as many messages as there are free slots, again and again. A message is acknowledged when its claim was
 * answered; a consumer that is gone is looked for until it is there again.
 */
export const pullWork = (connection: NatsConnection, names: ExecutionQueueNames, slots: Slots, take: TakeIds, logger: Logger): WorkPuller => {
  let isStopped = false;
  let lastTurn = Date.now();
  let stopPull: (() => void) | undefined;

  const pull = async (): Promise<void> => {
    const consumer = await queueConsumer(connection, names);
    while (!isStopped) {
      await slots.whenFree();
      if (isStopped) return;
      lastTurn = Date.now();
      const messages = await consumer.fetch({ max_messages: Math.max(1, slots.free()), expires: PULL_MS });
      stopPull = () => messages.stop();
      for await (const message of messages) settle(message, take).catch((error: unknown) => logger.warn({ err: error }, 'a message could not be settled'));
    }
  };
  const run = async (): Promise<void> => {
    while (!isStopped) {
      try {
        await pull();
      } catch (error) {
        logger.warn({ err: error }, 'pulling work failed');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  const running = run();
  return {
    isTurning: () => Date.now() - lastTurn < STUCK_MS || slots.free() === 0,
    stop: async () => {
      isStopped = true;
      slots.close();
      stopPull?.();
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 2 * PULL_MS).unref())]);
    },
  };
};
