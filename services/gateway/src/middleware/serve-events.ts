import { principalOf, type VerifyUser } from '@weft/service-kit/auth';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { writeEventStream } from '../http/event-stream';
import { excludeFromTiming } from '../observing/request-metrics';
import { authenticate } from './authenticate';
import type { ProxyTrust } from './client-origin';
import { liftTimeLimit, type UnderWay } from './time-limit';
import type { EventStreamAnswer } from './write-answer';

/** Dependencies of serving streams of events. */
export interface EventStreamOptions extends Pick<ProxyTrust, 'trustProxy'> {
  readonly clients: { readonly identity: { readonly verifyUser: VerifyUser } };
  /** True if the API accepts Basic. */
  readonly basicAuth: boolean;
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
  { clients, basicAuth, trustProxy, underWay }: EventStreamOptions,
): Promise<void> => {
  const signal = clientSignal(response);
  const stopping = new AbortController();
  excludeFromTiming(response);
  const { verifyUser } = clients.identity;
  const verify = async () => principalOf(await authenticate(request, response, { verifyUser, basicAuth, trustProxy }));
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
