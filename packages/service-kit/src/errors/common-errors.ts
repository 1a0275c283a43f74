import { ServiceError, type FieldError } from './service-error';

/** The request is invalid; `fields` has the details. */
export class InvalidRequest extends ServiceError {
  constructor(message: string, fields: readonly FieldError[] = []) {
    super({ reason: 'INVALID_REQUEST', kind: 'invalid', message, fields });
  }
}

/** The caller is not authenticated. */
export class Unauthorized extends ServiceError {
  constructor(message = 'The API key is missing, malformed, wrong or deleted: send it in the header X-SVC-API-KEY.') {
    super({ reason: 'UNAUTHORIZED', kind: 'unauthenticated', message });
  }
}

/** The caller is authenticated but not permitted. */
export class Forbidden extends ServiceError {
  constructor(message: string, details: Readonly<Record<string, string>> = {}) {
    super({ reason: 'FORBIDDEN', kind: 'forbidden', message, details });
  }
}

/** The caller has exceeded its requests per minute. */
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

/** A dependency of the request is unreachable or at capacity. */
export class Unavailable extends ServiceError {
  constructor(message: string, cause?: unknown, retryAfterSeconds = 5) {
    super({ reason: 'SERVICE_UNAVAILABLE', kind: 'unavailable', message, retryAfterSeconds, cause });
  }
}

/** Unavailable before any part of the work was sent: nothing was done, and nothing will be. */
export class Unsent extends Unavailable {}

/** The request exceeded its deadline. */
export class TimedOut extends ServiceError {
  constructor(message = 'The request took longer than its time limit.', cause?: unknown) {
    super({ reason: 'REQUEST_TIMED_OUT', kind: 'timeout', message, retryAfterSeconds: 5, cause });
  }
}

/** An unexpected error, without internals for the caller. The cause is logged where the error is caught. */
export class InternalError extends ServiceError {
  constructor(cause?: unknown) {
    super({ reason: 'INTERNAL_ERROR', kind: 'internal', message: 'Internal error.', cause });
  }
}

/** Converts an error for the caller: a ServiceError unchanged, anything else to an InternalError with its cause. */
export const toServiceError = (error: unknown): ServiceError =>
  error instanceof ServiceError ? error : new InternalError(error);

/** The message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
