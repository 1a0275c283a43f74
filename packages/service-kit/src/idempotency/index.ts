export { ifFound, repeatableCreation, repeatableSecret, type Codec } from './creation';
export { createRepeatDeps, IDEMPOTENCY_COLLECTION, IDEMPOTENCY_INDEXES } from './key-record-store';
export { repeatable, type RepeatDeps } from './repeatable';
