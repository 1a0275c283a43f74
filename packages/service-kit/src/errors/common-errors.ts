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

const REFUSED_TOKEN = { refused: 'service-token' } as const;

/**
 * The token of a calling service is refused. It says nothing about a user: the calling service signs again, and then
 * reports that this service is unavailable.
 */
export class ServiceTokenRefused extends ServiceError {
  constructor(message: string) {
    super({ reason: 'UNAUTHORIZED', kind: 'unauthenticated', message, details: REFUSED_TOKEN });
  }
}

/** How release 0.1.0 describes a refused service token. */
const REFUSED_BEFORE = /^The (signature of the )?service token /;

/** True if an error reports that the token of this service was refused. */
export const isServiceTokenRefused = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.kind === 'unauthenticated' &&
  (error.details['refused'] === REFUSED_TOKEN.refused || REFUSED_BEFORE.test(error.message));

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

/** True if a key was taken that the operation did not expect to be: by a concurrent one, or the store is unwell. */
const isUnexpectedDuplicate = (error: unknown): boolean =>
  error instanceof Error && error.name.startsWith('Mongo') && 'code' in error && error.code === 11_000;

/** Converts an error for the caller: a ServiceError unchanged, anything else to an InternalError with its cause. */
export const toServiceError = (error: unknown): ServiceError => {
  if (error instanceof ServiceError) return error;
  return isUnexpectedDuplicate(error)
    ? new Unavailable('Another request changed the same data at the same time. Try again.', error)
    : new InternalError(error);
};

/** The message of a thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
