import { currentContext, type RequestContext, withContext } from '@weft/service-kit/context';
import { TimedOut, Unavailable } from '@weft/service-kit/errors';
import { InFlightSet } from '@weft/service-kit/in-flight';
import type { Logger } from '@weft/service-kit/logging';
import type { ActiveSpan } from '@weft/service-kit/tracing';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeError } from '../responses/error-response';

/** Chooses the id of a request, the caller's own if it is a plain word, and returns it with the response. */
export const assignRequestId = (request: IncomingMessage, response: ServerResponse): string => {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();
  response.setHeader('x-request-id', id);
  return id;
};

/** The unanswered requests. */
export interface UnderWay {
  /** @param end answers the request with an error immediately */
  readonly add: (response: ServerResponse, end: () => void) => void;
  /** @param end ends a stream, which has no time limit, when the process stops */
  readonly addStream: (response: ServerResponse, end: () => void) => void;
  /** Ends streams, and makes other responses ask their clients to close connections, so that none has to be cut. */
  readonly askToClose: () => void;
  /** Answers each of them now, except those whose response has begun. */
  readonly endAll: () => void;
}

/** Tracks unanswered requests for the stop of the process. */
export const createUnderWay = (): UnderWay => {
  const open = new InFlightSet<{ readonly response: ServerResponse; readonly end: () => void }>();
  const streams = new InFlightSet<{ readonly end: () => void }>();
  let isStopping = false;
  return {
    add: (response, end) => {
      response.once('close', open.add({ response, end }));
    },
    addStream: (response, end) => {
      if (isStopping) return end();
      response.once('close', streams.add({ end }));
    },
    askToClose: () => {
      isStopping = true;
      for (const { end } of [...streams]) end();
      for (const { response } of open) if (!response.headersSent) response.setHeader('connection', 'close');
    },
    endAll: () => {
      for (const { response, end } of open) if (!response.headersSent) end();
    },
  };
};

/** Calls to services end this much before the request does, so that their error can still be returned. */
const MARGIN_MS = 500;

export interface TimeLimit {
  readonly requestId: string;
  /** Absent: unknown. */
  readonly clientAddress?: string;
  /** The span of the request, if it is traced. */
  readonly span: ActiveSpan | undefined;
  /** Milliseconds after which the request is answered with 503, whatever is pending. */
  readonly limitMs: number;
  readonly logger: Logger;
  /** Unanswered requests. */
  readonly underWay: UnderWay;
}

const TIMERS = new WeakMap<ServerResponse, NodeJS.Timeout>();

/** Removes the time limit of a response that is a stream of events. */
export const liftTimeLimit = (response: ServerResponse): void => clearTimeout(TIMERS.get(response));

/** Works without the deadline of the request: a stream has no time limit, and each of its calls has its own. */
export const outsideTimeLimit = <Result>(work: () => Result): Result => {
  const context = currentContext();
  if (context === undefined) return work();
  const { deadline: _deadline, ...rest } = context;
  return withContext(rest, work);
};

/** Runs a request inside its context: every call made in it carries its id and ends by its deadline. */
export const runWithinLimit = (
  response: ServerResponse,
  { requestId, clientAddress, span, limitMs, logger, underWay }: TimeLimit,
  work: () => void,
): void => {
  const now = performance.now();
  const context: RequestContext = {
    requestId,
    deadline: now + Math.max(limitMs - MARGIN_MS, limitMs / 2),
    ...(clientAddress === undefined ? {} : { clientAddress }),
    ...(span === undefined ? {} : { span }),
  };
  withContext(context, () => {
    const timer = setTimeout(
      () => writeError(response, new TimedOut(`The request took longer than ${limitMs / 1000} s.`), logger),
      limitMs,
    );
    TIMERS.set(response, timer);
    response.once('close', () => clearTimeout(timer));
    // the error names the execution that the request started, so it must be written in the request's context
    underWay.add(response, () =>
      withContext(context, () =>
        writeError(
          response,
          new Unavailable('This process is shutting down. Retry the request.', undefined, 1),
          logger,
        ),
      ),
    );
    work();
  });
};
