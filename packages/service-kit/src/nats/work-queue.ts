import { AckPolicy, DiscardPolicy, nanos, RetentionPolicy, StorageType, type Consumer, type JetStreamManager, type NatsConnection } from 'nats';

/** A JetStream work queue: each message goes to one of the consumers. It holds hints; losing it loses nothing. */
export interface WorkQueue {
  readonly stream: string;
  readonly subject: string;
  /** The one durable consumer that all workers share. */
  readonly consumer: string;
  /** Milliseconds after which a message that was not acknowledged is delivered again. */
  readonly ackWaitMs: number;
  /** 1 in development, 3 in a cluster. */
  readonly replicas: number;
}

/** The server reserves this much for each stream. A queue at its limit of executions is a hundredth of it. */
const MAX_BYTES = 64 * 1024 * 1024;

const ensureStream = async (manager: JetStreamManager, queue: WorkQueue): Promise<void> => {
  const config = {
    name: queue.stream,
    subjects: [queue.subject],
    retention: RetentionPolicy.Workqueue,
    storage: StorageType.File,
    discard: DiscardPolicy.New,
    num_replicas: queue.replicas,
    max_age: nanos(24 * 3_600_000),
    max_bytes: MAX_BYTES,
    duplicate_window: nanos(120_000),
  };
  await manager.streams.info(queue.stream).catch(() => manager.streams.add(config));
};

/** Makes stream and consumer where they are missing. Safe to repeat, from several processes at once. */
export const ensureWorkQueue = async (connection: NatsConnection, queue: WorkQueue): Promise<void> => {
  const manager = await connection.jetstreamManager({ timeout: 5_000 });
  await ensureStream(manager, queue);
  await manager.consumers.info(queue.stream, queue.consumer).catch(() =>
    manager.consumers.add(queue.stream, {
      durable_name: queue.consumer,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(queue.ackWaitMs),
      max_ack_pending: 20_000,
      max_deliver: -1,
    }),
  );
};

/**
 * Publishes one message; its id drops repetitions within two minutes. A missing stream is made again.
 * @throws the broker's error if it cannot be reached within 5 s.
 */
export const publishToQueue = async (connection: NatsConnection, queue: WorkQueue, payload: Uint8Array, messageId: string): Promise<void> => {
  const publish = () => connection.jetstream({ timeout: 5_000 }).publish(queue.subject, payload, { msgID: messageId });
  try {
    await publish();
  } catch (error) {
    if (connection.isClosed()) throw error;
    await ensureWorkQueue(connection, queue);
    await publish();
  }
};

/**
 * The shared consumer of a queue, for workers. They do not make it: its settings belong to the service that publishes.
 * @throws the broker's error if there is none yet.
 */
export const queueConsumer = (connection: NatsConnection, { stream, consumer }: Pick<WorkQueue, 'stream' | 'consumer'>): Promise<Consumer> =>
  connection.jetstream({ timeout: 5_000 }).consumers.get(stream, consumer);
