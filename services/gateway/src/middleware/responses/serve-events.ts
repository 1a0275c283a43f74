import { principalOf } from '@weft/service-kit/auth';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeEventStream } from '../../http/event-stream';
import { excludeFromTiming } from '../../observing/request-metrics';
import type { Authenticate } from '../authenticate';
import { liftTimeLimit, type UnderWay } from '../limits/time-limit';
import type { EventStreamAnswer } from './write-answer';

/** Dependencies of serving streams of events. */
export interface EventStreamOptions {
  readonly authenticate: Authenticate;
  readonly underWay: UnderWay;
}

/** A signal that is aborted when the client has left. */
export const clientSignal = (response: ServerResponse): AbortSignal => {
  const left = new AbortController();
  response.once('close', () => left.abort());
  if (response.destroyed) left.abort();
  return left.signal;
};

/** Serves a stream of events until it ends, the client leaves or the process stops. */
export const serveEvents = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: EventStreamAnswer,
  { authenticate, underWay }: EventStreamOptions,
): Promise<void> => {
  const signal = clientSignal(response);
  const stopping = new AbortController();
  excludeFromTiming(response);
  const verify = async () => principalOf(await authenticate(request, response));
  const events = await answer.open({ verify, signal, stopping: stopping.signal });
  if (response.headersSent || response.destroyed) return;
  liftTimeLimit(response);
  if (events === undefined) {
    response.writeHead(204).end();
    return;
  }
  underWay.addStream(response, () => stopping.abort());
  await writeEventStream(response, events);
};
