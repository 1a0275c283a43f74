import { executionQueueNames, workQueuesOf, type ExecutionQueueNames } from '@weft/proto/execution-queue';
import { ensureWorkQueue, type NatsConnection, type WorkQueue } from '@weft/service-kit/nats';
import { uniqueName } from '@weft/service-kit/testing';

/** Queues of one test file, whose names have this prefix. */
export const queuesNamed = (name: string): ExecutionQueueNames & WorkQueue => ({
  ...executionQueueNames(uniqueName(name).toUpperCase()),
  replicas: 1,
});

/** Creates the queues as executions does. */
export const openQueues = async (nats: NatsConnection, queue: ExecutionQueueNames): Promise<void> => {
  for (const each of workQueuesOf(queue)) await ensureWorkQueue(nats, { ...each, replicas: 1 });
};

export const deleteQueues = async (nats: NatsConnection, queue: ExecutionQueueNames): Promise<void> => {
  const { streams } = await nats.jetstreamManager();
  for (const { stream } of workQueuesOf(queue)) await streams.delete(stream);
};
