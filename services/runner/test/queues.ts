import { executionQueueNames, workQueuesOf, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import { ensureWorkQueue, type NatsConnection, type WorkQueue } from '@weft/service-kit/nats';
import { uniqueName } from '@weft/service-kit/testing';

/** Queues of a test file alone, whose names begin like this. */
export const queuesNamed = (name: string): ExecutionQueueNames & WorkQueue => ({
  ...executionQueueNames(uniqueName(name).toUpperCase()),
  replicas: 1,
});

/** Makes the queues as executions does. */
export const openQueues = async (nats: NatsConnection, queue: ExecutionQueueNames): Promise<void> => {
  for (const each of workQueuesOf(queue)) await ensureWorkQueue(nats, { ...each, replicas: 1 });
};

/** Deletes the queues. */
export const deleteQueues = async (nats: NatsConnection, queue: ExecutionQueueNames): Promise<void> => {
  const { streams } = await nats.jetstreamManager();
  for (const { stream } of workQueuesOf(queue)) await streams.delete(stream);
};
