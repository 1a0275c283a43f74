export { ChangedSinceRead, etagOfParts, holdsFor, isConditional, type EtagCondition } from './condition';
export { HAS_STARTED, NOT_STARTED, PERHAPS_STARTED, type StartOutcome } from './start-outcome';
export { isRetryable, ServiceError, type ErrorKind, type FieldError, type ServiceErrorInit } from './service-error';
export {
  Forbidden,
  InternalError,
  InvalidRequest,
  messageOf,
  isServiceTokenRefused,
  RateLimitExceeded,
  ServiceTokenRefused,
  TimedOut,
  toServiceError,
  Unauthorized,
  Unavailable,
  Unsent,
} from './common-errors';
