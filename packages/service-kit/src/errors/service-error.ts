/** What went wrong, seen from the caller. Every transport maps from this closed set, and from nothing else. */
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

const IS_PASSING: Readonly<Record<ErrorKind, boolean>> = {
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

/**
 * Whether a failure says nothing about the request: the same one, sent later, may succeed. Any other is a refusal,
 * however often it is sent.
 */
export const isPassing = (kind: ErrorKind): boolean => IS_PASSING[kind];

/** What is wrong at one place of a request. */
export interface FieldError {
  /** Path of the field, for example `nodes[2].name`. */
  readonly field: string;
  /** What to do about it, for the caller. */
  readonly message: string;
}

/** Everything an error carries besides its kind. */
export interface ServiceErrorInit {
  /** UPPER_SNAKE word a program can act on; one row of docs/errors.md. */
  readonly reason: string;
  readonly kind: ErrorKind;
  /** Text for the caller: what happened and what to do. Never secrets, never internals. */
  readonly message: string;
  /** Context for the caller, for example `{ workflowId }`. */
  readonly details?: Readonly<Record<string, string>>;
  /** The places of the request that are wrong. */
  readonly fields?: readonly FieldError[];
  /** Seconds after which a repetition makes sense. */
  readonly retryAfterSeconds?: number;
  /** For logs only. */
  readonly cause?: unknown;
}

/** An error that a caller is told about by reason. Anything else that is thrown is INTERNAL_ERROR to the outside. */
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
}
