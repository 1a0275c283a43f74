import { InvalidRequest } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import type { ErrorRequestHandler, RequestHandler } from 'express';
import { traceRequest } from '../observing/request-spans';
import { writeError } from './responses/error-response';
import { clientAddress, type ProxyTrust } from './client-origin';
import { logRequest } from './log-request';
import { assignRequestId, runWithinLimit, type UnderWay } from './limits/time-limit';

/** Time limit and logging of every request of an app. */
export interface RequestOptions extends Pick<ProxyTrust, 'trustProxy'> {
  readonly logger: Logger;
  /** Milliseconds. */
  readonly requestTimeLimitMs: number;
  readonly underWay: UnderWay;
}

/** First on an app: gives the request its id, its time limit and, when it ends, one log line. */
export const beginRequest = ({ logger, requestTimeLimitMs, underWay, trustProxy }: RequestOptions): RequestHandler =>
  function beginThisRequest(request, response, next) {
    const requestId = assignRequestId(request, response);
    response.setHeader('cache-control', 'no-store');
    response.setHeader('x-content-type-options', 'nosniff');
    const span = traceRequest(request, response, requestId);
    const from = clientAddress(request, { trustProxy });
    const limit = { requestId, clientAddress: from, span, limitMs: requestTimeLimitMs, logger, underWay };
    runWithinLimit(response, limit, () => {
      logRequest(request, response, { logger, trustProxy, path: request.originalUrl.split('?')[0] ?? '' });
      next();
    });
  };

/** Last on an app: turns a thrown error into the error body. */
export const answerErrors = (logger: Logger): ErrorRequestHandler =>
  function answerError(error: unknown, _request, response, _next) {
    // The router refuses an undecodable path before any code of the gateway runs.
    const isRouterError =
      error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400);
    writeError(response, isRouterError ? new InvalidRequest('The path cannot be decoded.') : error, logger);
  };
