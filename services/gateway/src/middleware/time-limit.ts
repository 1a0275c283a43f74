import { withContext, type RequestContext } from '@weft/service-kit/context';
import { TimedOut, Unavailable } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import type { ServerResponse } from 'node:http';
import { writeError } from './error-response';
import type { UnderWay } from './under-way';

/** Calls to services end this much before the request does, so that their error can still be told. */
const MARGIN_MS = 500;

/** How a request is bounded. */
export interface TimeLimit {
  readonly requestId: string;
  /** Milliseconds after which the request is answered with 503 whatever is under way. */
  readonly limitMs: number;
  readonly logger: Logger;
  /** Where it is kept until it is answered. */
  readonly underWay: UnderWay;
}

/** Runs a request inside its context: every call made in it carries its id and ends by its deadline. */
export const runWithinLimit = (
  response: ServerResponse,
  { requestId, limitMs, logger, underWay }: TimeLimit,
  work: () => void,
): void => {
  const now = Date.now();
  const context: RequestContext = { requestId, deadline: now + Math.max(limitMs - MARGIN_MS, limitMs / 2) };
  withContext(context, () => {
    const timer = setTimeout(
      () => writeError(response, new TimedOut(`The request took longer than ${limitMs / 1000} s.`), logger),
      limitMs,
    );
    response.once('close', () => clearTimeout(timer));
    // the error names what the request has started: it must be written in the request's own context
    underWay.add(response, () =>
      withContext(context, () =>
        writeError(
          response,
          new Unavailable('This process is being stopped. Send the request again.', undefined, 1),
          logger,
        ),
      ),
    );
    work();
  });
};
