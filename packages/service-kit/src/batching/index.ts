export { createBatcher, type BatcherOptions } from './create-batcher';
