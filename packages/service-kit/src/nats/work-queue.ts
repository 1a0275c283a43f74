import {
  AckPolicy,
  DiscardPolicy,
  nanos,
  NatsError,
  RetentionPolicy,
  StorageType,
  type JetStreamManager,
  type NatsConnection,
} from 'nats';
import { createCounter } from '../metrics';

const published = createCounter({
  name: 'weft_queue_published_total',
  help: 'Messages to the queue of runs: stored, dropped by the broker as a repetition, or failed.',
  labels: { outcome: ['stored', 'duplicate', 'failed'] },
});

/** A JetStream work queue: each message goes to one of the consumers. Messages are hints and may be lost. */
export interface WorkQueue {
  readonly stream: string;
  readonly subject: string;
  /** Durable consumer shared by all workers. */
  readonly consumer: string;
  /** Milliseconds after which an unacknowledged message is redelivered. */
  readonly ackWaitMs: number;
  /** 1 in development, 3 in a cluster. */
  readonly replicas: number;
}

/** Reserved by the server for each stream. A queue at its execution limit needs a hundredth of it. */
const MAX_BYTES = 64 * 1024 * 1024;

const API_TIMEOUT_MS = 5_000;

/** Stream settings that are fixed at creation. */
const fixedSettings = () => ({ retention: RetentionPolicy.Workqueue, storage: StorageType.File });

/** Stream settings that can be updated. */
const streamSettings = (queue: WorkQueue) => ({
  subjects: [queue.subject],
  discard: DiscardPolicy.New,
  num_replicas: queue.replicas,
  max_age: nanos(24 * 3_600_000),
  max_bytes: MAX_BYTES,
  duplicate_window: nanos(120_000),
});

const consumerSettings = (queue: WorkQueue) => ({
  ack_wait: nanos(queue.ackWaitMs),
  max_ack_pending: 20_000,
  max_deliver: -1,
});

const managerOf = (connection: NatsConnection): Promise<JetStreamManager> =>
  connection.jetstreamManager({ timeout: API_TIMEOUT_MS });

const createMissing = async (connection: NatsConnection, queue: WorkQueue): Promise<void> => {
  const manager = await managerOf(connection);
  await manager.streams
    .info(queue.stream)
    .catch(() => manager.streams.add({ name: queue.stream, ...fixedSettings(), ...streamSettings(queue) }));
  await manager.consumers.info(queue.stream, queue.consumer).catch(() =>
    manager.consumers.add(queue.stream, {
      durable_name: queue.consumer,
      ack_policy: AckPolicy.Explicit,
      ...consumerSettings(queue),
    }),
  );
};

const creating = new WeakMap<NatsConnection, Map<string, Promise<void>>>();

/**
 * Creates stream and consumer if they are missing. Safe to repeat, also from several processes; concurrent calls of one
 * process share one.
 */
export const ensureWorkQueue = (connection: NatsConnection, queue: WorkQueue): Promise<void> => {
  const pending = creating.get(connection) ?? new Map<string, Promise<void>>();
  creating.set(connection, pending);
  const known = pending.get(queue.stream);
  if (known !== undefined) return known;
  const created = createMissing(connection, queue).finally(() => pending.delete(queue.stream));
  pending.set(queue.stream, created);
  return created;
};

/** Settings that differed from the configuration, each as a sentence for the operator. */
export interface WorkQueueDifferences {
  readonly changed: readonly string[];
  /** Settings that cannot be changed, or that the server refused to change. */
  readonly unchanged: readonly string[];
}

const differencesOf = (present: object, wanted: object): string[] => {
  const values = new Map<string, unknown>(Object.entries(present));
  return Object.entries(wanted).flatMap(([name, value]) =>
    JSON.stringify(values.get(name)) === JSON.stringify(value)
      ? []
      : [`${name}: ${JSON.stringify(values.get(name))} -> ${JSON.stringify(value)}`],
  );
};

const update = async (
  what: string,
  differences: readonly string[],
  send: () => Promise<unknown>,
): Promise<WorkQueueDifferences> => {
  const named = differences.map((difference) => `${what} ${difference}`);
  if (named.length === 0) return { changed: [], unchanged: [] };
  try {
    await send();
    return { changed: named, unchanged: [] };
  } catch (error) {
    return {
      changed: [],
      unchanged: named.map((difference) => `${difference} (${error instanceof Error ? error.message : 'refused'})`),
    };
  }
};

/**
 * Compares stream and consumer with their configuration and updates what the server allows. Only for the start of a
 * process: replicas with different settings must not keep reverting each other.
 * @throws the broker's error if it cannot be reached
 */
export const alignWorkQueue = async (connection: NatsConnection, queue: WorkQueue): Promise<WorkQueueDifferences> => {
  const manager = await managerOf(connection);
  const { config } = await manager.streams.info(queue.stream);
  const consumer = (await manager.consumers.info(queue.stream, queue.consumer)).config;
  const fixed = [
    ...differencesOf(config, fixedSettings()).map((difference) => `stream ${difference}`),
    ...differencesOf(consumer, { ack_policy: AckPolicy.Explicit }).map((difference) => `consumer ${difference}`),
  ].map((difference) => `${difference} (delete the stream to change it; queued executions are published again)`);
  const stream = await update('stream', differencesOf(config, streamSettings(queue)), () =>
    manager.streams.update(queue.stream, { ...config, ...streamSettings(queue) }),
  );
  const worker = await update('consumer', differencesOf(consumer, consumerSettings(queue)), () =>
    manager.consumers.update(queue.stream, queue.consumer, consumerSettings(queue)),
  );
  return {
    changed: [...stream.changed, ...worker.changed],
    unchanged: [...fixed, ...stream.unchanged, ...worker.unchanged],
  };
};

const NO_RESPONDERS = '503';

/**
 * Publishes one message; its id deduplicates it for two minutes. Recreates a missing stream.
 * @throws the broker's error if it cannot be reached within 5 s
 */
export const publishToQueue = async (
  connection: NatsConnection,
  queue: WorkQueue,
  payload: Uint8Array,
  messageId: string,
): Promise<void> => {
  const publish = async (): Promise<void> => {
    const answered = connection.jetstream({ timeout: API_TIMEOUT_MS });
    const { duplicate } = await answered.publish(queue.subject, payload, { msgID: messageId });
    published.inc({ outcome: duplicate ? 'duplicate' : 'stored' });
  };
  try {
    await publish();
  } catch (error) {
    // Only a missing stream gives this error. Asking a hanging server again would leave more behind with each message.
    const isMissing = error instanceof NatsError && error.code === NO_RESPONDERS && !connection.isClosed();
    try {
      if (!isMissing) throw error;
      await ensureWorkQueue(connection, queue);
      await publish();
    } catch (last) {
      published.inc({ outcome: 'failed' });
      throw last;
    }
  }
};

/**
 * Publication time of the oldest message not yet delivered to a worker, by the server's clock; undefined if there is
 * none.
 * @throws the broker's error if it cannot be reached or the queue does not exist
 */
export const oldestWaiting = async (
  connection: NatsConnection,
  { stream, consumer }: Pick<WorkQueue, 'stream' | 'consumer'>,
): Promise<Date | undefined> => {
  const manager = await managerOf(connection);
  const { num_pending, delivered } = await manager.consumers.info(stream, consumer);
  if (num_pending === 0) return undefined;
  try {
    return (await manager.streams.getMessage(stream, { seq: delivered.stream_seq + 1 })).time;
  } catch {
    // Delivered or removed meanwhile: no remaining message is older than the stream's first.
    return new Date((await manager.streams.info(stream)).state.first_ts);
  }
};
