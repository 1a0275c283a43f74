import { withContext } from '@weft/service-kit/context';
import { TimedOut } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import type { ServerResponse } from 'node:http';
import { writeError } from './error-response';

/** Calls to services end this much before the request does, so that their error can still be told. */
const MARGIN_MS = 500;

/** How a request is bounded. */
export interface TimeLimit {
  readonly requestId: string;
  /** Milliseconds after which the request is answered with 503 whatever is under way. */
  readonly limitMs: number;
  readonly logger: Logger;
}

/** Runs a request inside its context: every call made in it carries its id and ends by its deadline. */
export const runWithinLimit = (response: ServerResponse, { requestId, limitMs, logger }: TimeLimit, work: () => void): void => {
  const now = Date.now();
  withContext({ requestId, deadline: now + Math.max(limitMs - MARGIN_MS, limitMs / 2) }, () => {
    const timer = setTimeout(() => writeError(response, new TimedOut(`The request took longer than ${limitMs / 1000} s.`), logger), limitMs);
    response.once('close', () => clearTimeout(timer));
    work();
  });
};
