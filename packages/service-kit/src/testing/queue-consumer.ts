import { setTimeout as sleep } from 'node:timers/promises';
import type { Msg, NatsConnection } from 'nats';
import type { WorkQueue } from '../nats';

/** One message of a queue. */
export interface ConsumedMessage {
  readonly data: Uint8Array;
  readonly ack: () => void;
}

/** Reads queues as a worker does. */
export interface QueueConsumer {
  /** The next message of any of the queues; null if none arrived within this many milliseconds. */
  readonly next: (options: { readonly expires: number }) => Promise<ConsumedMessage | null>;
}

const AGAIN_MS = 10;
/** A message arrives under the subject of its stream, which only a separate subscription can distinguish. */
const OWN_REPLY = { noMux: true, timeout: 5_000 };
const NOW = JSON.stringify({ batch: 1, no_wait: true });

/** A message has an address for its acknowledgement; a status has none. */
const toConsumed = (answer: Msg): ConsumedMessage | undefined =>
  answer.reply === undefined || answer.reply === ''
    ? undefined
    : { data: answer.data, ack: () => void answer.respond('+ACK') };

/**
 * The shared consumers of queues. Pulls only existing messages and leaves no pending pull behind, which would take a
 * message that nothing reads.
 * @throws the broker's error if a consumer is missing
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
