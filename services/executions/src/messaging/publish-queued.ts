import { encodeExecutionIds, MAX_IDS_PER_MESSAGE } from '@weft/proto/execution-queue';
import type { Logger } from '@weft/service-kit/logging';
import { publishToQueue, type WorkQueue } from '@weft/service-kit/nats';
import type { Publish } from '../domain/ports';
import type { Broker } from './broker';

/** Tells runners about queued executions. Never fails: what is not told now, the sweeper tells later. */
export interface QueuedPublisher {
  readonly publish: Publish;
  /** Ends when what was handed in is sent, or cannot be. */
  readonly flush: () => Promise<void>;
}

interface Entry {
  readonly id: string;
  readonly occasion: string;
}

/** Messages under way; beyond that the broker is not keeping up, and the sweeper takes over. */
const MAX_UNDER_WAY = 200;

/** Ids that came in one turn of the event loop go out together, a few to a message. */
export const createQueuedPublisher = (broker: Broker, queue: WorkQueue, logger: Logger): QueuedPublisher => {
  let pending: Entry[] = [];
  const underWay = new Set<Promise<void>>();
  let skipped = false;

  const sendOne = async (entries: readonly Entry[]): Promise<void> => {
    const [first] = entries;
    const connection = broker.connection();
    if (first === undefined || connection === undefined) return;
    try {
      await publishToQueue(connection, queue, encodeExecutionIds(entries.map(({ id }) => id)), `${first.id}:${first.occasion}`);
      skipped = false;
    } catch (error) {
      if (!skipped) logger.warn({ err: error }, 'the queue cannot be reached; the sweeper will publish');
      skipped = true;
    }
  };
  const send = (): void => {
    const entries = pending;
    pending = [];
    for (let from = 0; from < entries.length && underWay.size < MAX_UNDER_WAY; from += MAX_IDS_PER_MESSAGE) {
      const sending: Promise<void> = sendOne(entries.slice(from, from + MAX_IDS_PER_MESSAGE)).finally(() => underWay.delete(sending));
      underWay.add(sending);
    }
  };
  return {
    publish: (id, occasion) => {
      pending.push({ id, occasion });
      if (pending.length === 1) setImmediate(send);
    },
    flush: async () => {
      send();
      await Promise.all(underWay);
    },
  };
};
