import { ServiceError, type FieldError } from './service-error';

/** The request itself is wrong; `fields` says where. */
export class InvalidRequest extends ServiceError {
  constructor(message: string, fields: readonly FieldError[] = []) {
    super({ reason: 'INVALID_REQUEST', kind: 'invalid', message, fields });
  }
}

/** The caller did not prove who it is. */
export class Unauthorized extends ServiceError {
  constructor(message = 'The API key is missing, malformed, wrong or deleted.') {
    super({ reason: 'UNAUTHORIZED', kind: 'unauthenticated', message });
  }
}

/** The caller is known and may not do this. */
export class Forbidden extends ServiceError {
  constructor(message: string, details: Readonly<Record<string, string>> = {}) {
    super({ reason: 'FORBIDDEN', kind: 'forbidden', message, details });
  }
}

/** The caller's requests of this minute are used up. */
export class RateLimitExceeded extends ServiceError {
  constructor(limit: number, retryAfterSeconds: number) {
    super({
      reason: 'RATE_LIMIT_EXCEEDED',
      kind: 'limited',
      message: `More than ${limit} requests in a minute. Try again in ${retryAfterSeconds} s.`,
      retryAfterSeconds,
    });
  }
}

/** A part this request needs cannot be reached, or is full, now. */
export class Unavailable extends ServiceError {
  constructor(message: string, cause?: unknown, retryAfterSeconds = 5) {
    super({ reason: 'SERVICE_UNAVAILABLE', kind: 'unavailable', message, retryAfterSeconds, cause });
  }
}

/** The time for this request ran out. */
export class TimedOut extends ServiceError {
  constructor(message = 'The request took longer than its time limit.', cause?: unknown) {
    super({ reason: 'REQUEST_TIMED_OUT', kind: 'timeout', message, retryAfterSeconds: 5, cause });
  }
}

/** What callers see of any fault of ours: no internals. The cause is logged where it is caught. */
export class InternalError extends ServiceError {
  constructor(cause?: unknown) {
    super({ reason: 'INTERNAL_ERROR', kind: 'internal', message: 'Something went wrong on our side.', cause });
  }
}

/** The error a caller is told about: a ServiceError as it is, anything else as InternalError with its cause. */
export const toServiceError = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : new InternalError(error);
