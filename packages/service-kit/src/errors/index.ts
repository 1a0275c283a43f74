export { isPassing, ServiceError, type ErrorKind, type FieldFault, type ServiceErrorInit } from './service-error';
export {
  Forbidden,
  InternalError,
  InvalidRequest,
  RateLimitExceeded,
  TimedOut,
  toServiceError,
  Unauthorized,
  Unavailable,
} from './common-errors';
