export { closeNats, connectNats, isConnected, onReconnected } from './connect';
export {
  alignWorkQueue,
  ensureWorkQueue,
  oldestWaiting,
  publishToQueue,
  queueConsumer,
  type WorkQueue,
  type WorkQueueDifferences,
} from './work-queue';
export type { Consumer, JsMsg, NatsConnection } from 'nats';
