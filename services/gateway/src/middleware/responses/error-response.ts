import { countRefused } from '../../observing/refusals';
import { type ErrorKind, type ServiceError, toServiceError } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import type { ServerResponse } from 'node:http';
import { startOfRequest } from '../../clients/send-start';
import { RequestAborted } from '../../errors';
import { endAfterRequest } from './drain';
import { nameExecution } from '../../http/execution-header';

/** An error as shown over REST. */
export interface RestError {
  readonly status: number;
  /** `error.code` of the body. */
  readonly code: string;
}

const UNAVAILABLE: RestError = { status: 503, code: 'SERVICE_UNAVAILABLE' };

/** Each kind of error, and below it the reasons that differ from their kind. docs/errors.md shows this table. */
const OF_KIND: Readonly<Record<ErrorKind, RestError>> = {
  invalid: { status: 400, code: 'INVALID_REQUEST' },
  unauthenticated: { status: 401, code: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  'not-found': { status: 404, code: 'INVALID_REQUEST' },
  conflict: { status: 409, code: 'CONFLICT' },
  precondition: { status: 409, code: 'CONFLICT' },
  limited: UNAVAILABLE,
  'too-large': { status: 413, code: 'PAYLOAD_TOO_LARGE' },
  unavailable: UNAVAILABLE,
  timeout: UNAVAILABLE,
  internal: { status: 500, code: 'INTERNAL_ERROR' },
};

const OF_REASON: ReadonlyMap<string, RestError> = new Map([
  ['RATE_LIMIT_EXCEEDED', { status: 429, code: 'RATE_LIMIT_EXCEEDED' }],
  ['VERSION_CONFLICT', { status: 412, code: 'PRECONDITION_FAILED' }],
  // The sender is slow, not the service: this must not trigger an alarm on 5xx.
  ['REQUEST_TOO_SLOW', { status: 408, code: 'REQUEST_TIMEOUT' }],
  ['WORKFLOW_NOT_RUNNABLE', { status: 400, code: 'INVALID_REQUEST' }],
]);

/** Retry-After in seconds, if the error has none. */
const DEFAULT_RETRY_SECONDS = 5;

/**
 * The row of an error. A limit is 429 only by its reason: a bare RESOURCE_EXHAUSTED of the transport is not an error of
 * the caller.
 */
export const restErrorOf = (error: Pick<ServiceError, 'reason' | 'kind'>): RestError =>
  OF_REASON.get(error.reason) ?? OF_KIND[error.kind];

const detailsOf = (error: ServiceError, { status, code }: RestError): Record<string, unknown> => ({
  // If one code has several reasons, the details have the reason. With 404 the id in the details shows it.
  ...(error.reason === code || status === 404 || status === 401 ? {} : { reason: error.reason }),
  ...error.details,
  ...(error.fields.length === 0
    ? {}
    : { fields: error.fields.slice(0, 50).map(({ field, message }) => ({ field, message })) }),
});

/** The body `{"error": {...}}` of an error, as JSON text. */
export const errorText = (error: ServiceError): string => {
  const row = restErrorOf(error);
  const details = detailsOf(error, row);
  return JSON.stringify({
    error: {
      code: row.code,
      message: error.message,
      ...(Object.keys(details).length === 0 ? {} : { details }),
      ...(row.status === 429 ? { retryAfter: error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS } : {}),
    },
  });
};

const report = (logger: Logger, error: ServiceError, status: number): void => {
  if (status === 500) logger.error({ reason: error.reason, err: error.cause ?? error }, 'request failed');
  else if (status === 503)
    logger.warn({ reason: error.reason, err: error.cause, explanation: error.message }, 'request could not be served');
  else logger.debug({ reason: error.reason, status }, 'request refused');
};

/** Ends a request whose client disconnected; not counted as an error. @returns false if the error is another one */
export const endAborted = (response: ServerResponse, thrown: unknown, logger: Logger): boolean => {
  if (!(thrown instanceof RequestAborted)) return false;
  logger.debug('request aborted by its sender');
  response.destroy();
  return true;
};

/**
 * Adds to an error whether an execution was started, and its id if it was or may have been, so that the caller can
 * query it instead of starting another. Errors that already say so stay unchanged.
 */
const withStarted = (error: ServiceError): ServiceError => {
  const start = startOfRequest();
  const { executionId, started } = error.details;
  if (start === undefined || started !== undefined || restErrorOf(error).status < 500) return error;
  const { sentence, ...details } = start;
  return executionId === undefined ? error.amended(details, sentence) : error.amended({ started: start.started });
};

/** Logs and counts an error of a request. @returns it, with what was started */
export const reportError = (logger: Logger, thrown: unknown): ServiceError => {
  const error = withStarted(toServiceError(thrown));
  report(logger, error, restErrorOf(error).status);
  countRefused(error);
  return error;
};

/**
 * Answers a request with an error; the only writer of error bodies. If the response has already begun, its connection
 * is cut, so that no caller mistakes half a response for a complete one.
 */
export const writeError = (response: ServerResponse, thrown: unknown, logger: Logger): void => {
  // The time limit may have answered the request before the pending call failed.
  if (response.writableEnded || endAborted(response, thrown, logger)) return;
  const error = reportError(logger, thrown);
  const { status } = restErrorOf(error);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  nameExecution(response, startOfRequest()?.executionId);
  const body = Buffer.from(errorText(error));
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', body.length);
  if (status === 429 || status === 503)
    response.setHeader('retry-after', error.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS);
  if (status === 401 && !response.hasHeader('www-authenticate'))
    response.setHeader('www-authenticate', 'ApiKey realm="weft"');
  response.writeHead(status);
  // A sender that was too slow is not waited for any longer.
  if (status === 408) response.end(body);
  else endAfterRequest(response, body);
};
