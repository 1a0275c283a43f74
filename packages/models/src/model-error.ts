import { LIMITS } from './limits';

/** Why a call of a model failed. */
export type ModelErrorCode =
  /** The key is missing, wrong, or may not do this. */
  | 'UNAUTHORIZED'
  | 'MODEL_NOT_FOUND'
  /** The address is not that of a model service. */
  | 'NOT_FOUND'
  | 'RATE_LIMITED'
  /** The account has no credit or quota left: a retry does not help. */
  | 'QUOTA_EXCEEDED'
  | 'CONTEXT_TOO_LONG'
  /** The service or the model refused the content. */
  | 'CONTENT_FILTERED'
  | 'BAD_REQUEST'
  /** The format does not have what the call needs; nothing was sent. */
  | 'UNSUPPORTED'
  /** The service failed or is overloaded. */
  | 'UNAVAILABLE'
  | 'MALFORMED_RESPONSE'
  /** The response ended before it was complete. */
  | 'TRUNCATED_RESPONSE'
  | 'RESPONSE_TOO_LARGE';

export interface ModelErrorDetails {
  readonly status?: number;
  /** Milliseconds after which the service accepts a retry, as it said. */
  readonly retryAfterMs?: number;
}

/** A call of a model failed. The message is for the owner of the workflow and contains no key. */
export class ModelError extends Error {
  readonly code: ModelErrorCode;
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ModelErrorCode, message: string, { status, retryAfterMs }: ModelErrorDetails = {}) {
    super(message);
    this.name = 'ModelError';
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The start of a string, for messages and records. */
export const excerptOf = (text: string): string =>
  text.length > LIMITS.excerpt ? `${text.slice(0, LIMITS.excerpt)}…` : text;
