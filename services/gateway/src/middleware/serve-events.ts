import { principalOf } from '@weft/service-kit/auth';
import type { VerifyUser } from '@weft/service-kit/auth';
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

/** Serves a stream of events until it ends, the client leaves or the process stops. */
export const serveEvents = async (
  request: IncomingMessage,
  response: ServerResponse,
  answer: EventStreamAnswer,
  { clients, basicAuth, trustProxy, underWay }: EventStreamOptions,
): Promise<void> => {
  const left = new AbortController();
  const stopping = new AbortController();
  response.once('close', () => left.abort());
  if (response.destroyed) left.abort();
  excludeFromTiming(response);
  const { verifyUser } = clients.identity;
  const verify = async () => principalOf(await authenticate(request, response, { verifyUser, basicAuth, trustProxy }));
  const events = await answer.open({ verify, signal: left.signal, stopping: stopping.signal });
  if (response.headersSent || response.destroyed) return;
  liftTimeLimit(response);
  if (events === undefined) {
    response.writeHead(204).end();
    return;
  }
  underWay.addStream(response, () => stopping.abort());
  await writeEventStream(response, events);
};
