export { connectionOptions, type NatsSettings } from './connection-options';
export { closeNats, connectNats, isConnected } from './connect';
export { onReconnected } from './connection-watch';
export { openPulls, type QueueMessage, type QueuePulls } from './pull-queue';
export {
  alignWorkQueue,
  ensureWorkQueue,
  oldestWaiting,
  publishToQueue,
  type WorkQueue,
  type WorkQueueDifferences,
} from './work-queue';
export { createInbox, type Msg as NatsMessage, type NatsConnection } from 'nats';
