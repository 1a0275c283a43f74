export { isRetryable, ServiceError, type ErrorKind, type FieldError, type ServiceErrorInit } from './service-error';
export {
  Forbidden,
  InternalError,
  InvalidRequest,
  messageOf,
  RateLimitExceeded,
  TimedOut,
  toServiceError,
  Unauthorized,
  Unavailable,
  Unsent,
} from './common-errors';
