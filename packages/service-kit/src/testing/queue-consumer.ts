import type { Consumer, NatsConnection } from 'nats';
import type { WorkQueue } from '../nats';

/**
 * The shared consumer of a queue, by the client's own means: what a test sees as a worker.
 * @throws the broker's error if there is none yet.
 */
export const queueConsumer = (
  connection: NatsConnection,
  { stream, consumer }: Pick<WorkQueue, 'stream' | 'consumer'>,
): Promise<Consumer> => connection.jetstream().consumers.get(stream, consumer);
