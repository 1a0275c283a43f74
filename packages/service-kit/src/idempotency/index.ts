export { ifFound, repeatableCreation, repeatableSecret, type Codec, type KeyedRequest } from './creation';
export { IdempotencyKeyReused, ResponseNotRepeated, TooManyIdempotencyKeys } from './errors';
export { createRepeatDeps, IDEMPOTENCY_COLLECTION, IDEMPOTENCY_INDEXES } from './key-record-store';
export { repeatable, type Repeat, type RepeatableMethod, type RepeatDeps } from './repeatable';
