export { createBatcher, type BatcherOptions } from './create-batcher';
export { KeyedMutex } from './keyed-mutex';
export { createSharedReads, type ShareReads } from './share-reads';
