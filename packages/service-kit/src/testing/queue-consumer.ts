import { setTimeout as sleep } from 'node:timers/promises';
import type { Msg, NatsConnection } from 'nats';
import type { WorkQueue } from '../nats';

/** One message of a queue. */
export interface ConsumedMessage {
  readonly data: Uint8Array;
  readonly ack: () => void;
}

/** What a test sees of queues as a worker. */
export interface QueueConsumer {
  /** The next message of any of the queues; null: none came in so many milliseconds. */
  readonly next: (options: { readonly expires: number }) => Promise<ConsumedMessage | null>;
}

const AGAIN_MS = 10;
/** A message comes under the subject of its stream, which only a subscription of its own can tell from others. */
const OWN_REPLY = { noMux: true, timeout: 5_000 };
const NOW = JSON.stringify({ batch: 1, no_wait: true });

/** A message has an address for its acknowledgement; a status has none. */
const toConsumed = (answer: Msg): ConsumedMessage | undefined =>
  answer.reply === undefined || answer.reply === ''
    ? undefined
    : { data: answer.data, ack: () => void answer.respond('+ACK') };

/**
 * The shared consumers of queues. It asks for what is there and leaves no request behind, which would take a message
 * that nobody reads.
 * @throws the broker's error if a consumer is not there.
 */
export const queueConsumer = async (
  connection: NatsConnection,
  ...queues: readonly Pick<WorkQueue, 'stream' | 'consumer'>[]
): Promise<QueueConsumer> => {
  const manager = await connection.jetstreamManager();
  for (const { stream, consumer } of queues) await manager.consumers.info(stream, consumer);
  const ask = async (): Promise<ConsumedMessage | undefined> => {
    for (const { stream, consumer } of queues) {
      const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`;
      const found = toConsumed(await connection.request(subject, NOW, OWN_REPLY));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return {
    next: async ({ expires }) => {
      const end = Date.now() + expires;
      for (;;) {
        const found = await ask();
        if (found !== undefined) return found;
        if (Date.now() >= end) return null;
        await sleep(AGAIN_MS);
      }
    },
  };
};
