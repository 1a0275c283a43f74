export { closeNats, connectNats } from './connect';
export { ensureWorkQueue, publishToQueue, queueConsumer, type WorkQueue } from './work-queue';
export type { Consumer, JsMsg, NatsConnection } from 'nats';
