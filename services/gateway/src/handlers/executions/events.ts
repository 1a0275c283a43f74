import { StreamEnd } from '@weft/proto/events';
import { ExecutionStatus } from '@weft/proto/executions';
import { Forbidden, toServiceError } from '@weft/service-kit/errors';
import type { IncomingHttpHeaders } from 'node:http';
import type { Clients } from '../../clients';
import type { StreamEvent } from '../../http/event-stream';
import { flagParameter, type Query, type QueryParameter, readWhole, wholeParameter } from '../../http/read-query';
import { outsideTimeLimit } from '../../middleware/limits/time-limit';
import { errorText } from '../../middleware/responses/error-response';
import type { Answer, EventStreamAnswer } from '../../middleware/responses/write-answer';
import type { HeaderParameter } from '../../openapi/route-doc';
import type { ApiRequest, RouteHandler } from '../api-handler';
import { chainEvents, type ChainFrame } from './event-chain';
import { deltaText, progressText, shownEvent } from './event-json';
import { waitMsFor } from './executions';

const MAX_SEQUENCE = 0xffff_ffff;
const MAX_PAGE = 1_000;

const AFTER = wholeParameter(
  'after',
  0,
  MAX_SEQUENCE,
  'The last sequence number that the client has; 0: all events.',
  0,
);

const EVENT_LIMIT = wholeParameter('limit', 1, MAX_PAGE, 'Number of events of a page.', 200);

const WAIT = flagParameter(
  'wait',
  'Delays a response without events until something changes, or until the time for the request is nearly over.',
);

/** Query parameters of listExecutionEvents. */
export const EVENTS_QUERY: readonly QueryParameter<unknown>[] = [AFTER, EVENT_LIMIT, WAIT];

/** The header in which EventSource sends the id of the last event that it received. */
export const LAST_EVENT_ID: HeaderParameter = {
  name: 'Last-Event-ID',
  description: 'For streams: the last sequence number that the client has. Takes precedence over `after`.',
  pattern: String.raw`^\d{1,10}$`,
};

/** Reserved from the time of a request, so that an empty page is sent in time. */
const WAIT_MARGIN_MS = 1_500;

const pageOf = async ({ id, principal, query }: ApiRequest, { events }: Clients): Promise<Answer> => {
  const waitMs = WAIT.read(query) ? waitMsFor(WAIT_MARGIN_MS) : 0;
  const page = await events.calls.listEvents(
    { executionId: id, afterSequence: AFTER.read(query) ?? 0, limit: EVENT_LIMIT.read(query) ?? 200, waitMs },
    { principal, waits: waitMs > 0 },
  );
  const progress = page.progress === undefined ? 'null' : progressText(page.progress);
  const first = page.firstSequence === undefined ? '' : `,"firstSequence":${page.firstSequence}`;
  return {
    status: 200,
    json:
      `{"data":[${page.events.map((event) => shownEvent(event).data).join(',')}],"progress":${progress},` +
      `"complete":${page.complete}${first}}`,
  };
};

/** The last id of a client that reconnects, which takes precedence over the address. */
const afterOf = (headers: IncomingHttpHeaders, query: Query): number => {
  const last = headers['last-event-id'];
  return typeof last === 'string' && last !== ''
    ? readWhole('Last-Event-ID', last, 0, MAX_SEQUENCE)
    : (AFTER.read(query) ?? 0);
};

const ENDS: Readonly<Record<StreamEnd, string>> = {
  [StreamEnd.STREAM_END_UNSPECIFIED]: 'time-limit',
  [StreamEnd.STREAM_END_COMPLETE]: 'complete',
  [StreamEnd.STREAM_END_DELETED]: 'deleted',
  [StreamEnd.STREAM_END_TIME_LIMIT]: 'time-limit',
};

const toStreamEvent = (frame: ChainFrame): StreamEvent => {
  switch (frame.$case) {
    case 'event':
      return { id: frame.value.sequence, ...shownEvent(frame.value) };
    case 'progress':
      return { type: 'progress', data: progressText(frame.value) };
    case 'firstSequence':
      return { type: 'restarted', data: `{"firstSequence":${frame.value}}` };
    case 'delta':
      return { type: 'delta', data: deltaText(frame.value) };
    case 'end':
      return { type: 'end', data: `{"reason":"${ENDS[frame.value]}"}` };
  }
};

const isEnded = (frame: ChainFrame): boolean =>
  frame.$case === 'progress' &&
  (frame.value.execution?.status === ExecutionStatus.EXECUTION_STATUS_SUCCESS ||
    frame.value.execution?.status === ExecutionStatus.EXECUTION_STATUS_ERROR);

/** Reads frames until it is known whether there is anything to send. */
const readFirst = async (frames: AsyncIterator<ChainFrame>): Promise<ChainFrame[]> => {
  const first: ChainFrame[] = [];
  for (let next = await frames.next(); next.done !== true; next = await frames.next()) {
    first.push(next.value);
    // The end may follow without an event.
    if (!isEnded(next.value)) break;
  }
  return first;
};

async function* eventsOf(first: readonly ChainFrame[], rest: AsyncIterator<ChainFrame>): AsyncGenerator<StreamEvent> {
  try {
    for (const frame of first) yield toStreamEvent(frame);
    for (;;) {
      const next = await outsideTimeLimit(() => rest.next());
      if (next.done === true) return;
      yield toStreamEvent(next.value);
    }
  } catch (error) {
    // The client learns the reason here: the status of the response has already been sent.
    yield { type: 'end', data: `{"reason":"error",${errorText(toServiceError(error)).slice(1)}` };
  } finally {
    await rest.return?.();
  }
}

const streamOf = (request: ApiRequest, { events }: Clients): EventStreamAnswer => {
  const { id, principal, headers, query } = request;
  // A page of another site could otherwise hold connections open with the sign-in of its visitor.
  if (headers['sec-fetch-site'] === 'cross-site') throw new Forbidden('Cross-site requests are refused.');
  const after = afterOf(headers, query);
  return {
    status: 200,
    open: async ({ verify, signal, stopping }) => {
      const release = events.reserve(principal.userId);
      if (signal.aborted) release();
      else signal.addEventListener('abort', release, { once: true });
      const { calls } = events;
      const frames = chainEvents({ executionId: id, after, principal, verify, signal, stopping, calls });
      const first = await outsideTimeLimit(() => readFirst(frames));
      const isOver = first.every((frame) => frame.$case === 'end' || isEnded(frame));
      return isOver ? undefined : eventsOf(first, frames);
    },
  };
};

/**
 * GET /executions/:id/events, an addition: the events of a run, in order. A page of events, or a stream of
 * Server-Sent Events for clients that accept it: that stream continues for up to ten minutes, and clients continue
 * after their last number. 204 if the run has ended and the client has all events, which stops EventSource.
 */
export const listExecutionEvents: RouteHandler = async (request, clients) =>
  request.headers.accept?.includes('text/event-stream') === true
    ? streamOf(request, clients)
    : pageOf(request, clients);
