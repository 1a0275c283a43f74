/** Category of an error, as seen by the caller. Every transport maps from this closed set. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition'
  | 'limited'
  | 'too-large'
  | 'unavailable'
  | 'timeout'
  | 'internal';

const IS_RETRYABLE: Readonly<Record<ErrorKind, boolean>> = {
  unavailable: true,
  timeout: true,
  limited: true,
  internal: true,
  invalid: false,
  unauthenticated: false,
  forbidden: false,
  'not-found': false,
  conflict: false,
  precondition: false,
  'too-large': false,
};

/** True if the same request may succeed later. Any other error persists, however often the request is repeated. */
export const isRetryable = (kind: ErrorKind): boolean => IS_RETRYABLE[kind];

/** Error in one field of a request. */
export interface FieldError {
  /** Path of the field, for example `nodes[2].name`. */
  readonly field: string;
  /** Requirement on the field, for example `must be a string`. */
  readonly message: string;
}

export interface ServiceErrorInit {
  /** Machine-readable UPPER_SNAKE code; one row of docs/errors.md. */
  readonly reason: string;
  readonly kind: ErrorKind;
  /** Message for the caller: what happened and what to do. Never secrets, never internals. */
  readonly message: string;
  /** Context for the caller, for example `{ workflowId }`. */
  readonly details?: Readonly<Record<string, string>>;
  /** Invalid fields of the request. */
  readonly fields?: readonly FieldError[];
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds?: number;
  /** For logs only. */
  readonly cause?: unknown;
}

/** An error with a reason for the caller. Any other thrown value is reported as INTERNAL_ERROR. */
export class ServiceError extends Error {
  readonly reason: string;
  readonly kind: ErrorKind;
  readonly details: Readonly<Record<string, string>>;
  readonly fields: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(init: ServiceErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = 'ServiceError';
    this.reason = init.reason;
    this.kind = init.kind;
    this.details = init.details ?? {};
    this.fields = init.fields ?? [];
    this.retryAfterSeconds = init.retryAfterSeconds;
  }

  /** A copy of the error with other fields. */
  withFields(fields: readonly FieldError[]): ServiceError {
    return copyOf(this, { fields });
  }

  /** A copy of the error with more details. @param sentence appended to the message */
  amended(details: Readonly<Record<string, string>>, sentence = ''): ServiceError {
    return copyOf(this, {
      message: sentence === '' ? this.message : `${this.message} ${sentence}`,
      details: { ...this.details, ...details },
    });
  }
}

const copyOf = (
  { reason, kind, message, details, fields, retryAfterSeconds, cause }: ServiceError,
  changes: Partial<ServiceErrorInit>,
): ServiceError =>
  new ServiceError({
    reason,
    kind,
    message,
    details,
    fields,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...changes,
  });
