import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Session } from 'node:http2';
import { memberOf } from './windows';

type PingCallback = Parameters<ClientHttp2Session['ping']>[1];

/** Published by Node for each stream that a client begins. */
const STREAM_CREATED = 'http2.client.stream.created';

const NO_PAYLOAD = Buffer.alloc(8);

const isSession = (value: unknown): value is ClientHttp2Session =>
  typeof value === 'object' && value !== null && 'ping' in value && 'closed' in value;

/** A ping on a connection that takes no further calls is not sent, and counts as answered. */
const spareDrained = (session: ClientHttp2Session): void => {
  const ping = session.ping.bind(session);
  Object.assign(session, {
    ping: (callback: PingCallback): boolean => {
      if (session.destroyed || !session.closed) return ping(callback);
      process.nextTick(callback, null, 0, NO_PAYLOAD);
      return true;
    },
  });
};

const spared = new WeakSet<ClientHttp2Session>();
let isSubscribed = false;

/**
 * Lets the calls under way on a connection end after its server has asked for another one, or after its channel was
 * closed. Node sends no pings on it any more, which grpc-js takes for the loss of the connection: it drops all of those
 * calls at the time of its next keepalive (grpc/grpc-node#3068). Their deadlines bound them, and the server's grace.
 */
export const keepDrainingConnections = (): void => {
  if (isSubscribed) return;
  isSubscribed = true;
  subscribe(STREAM_CREATED, (message) => {
    const session = memberOf(memberOf(message, 'stream'), 'session');
    if (!isSession(session) || spared.has(session)) return;
    spared.add(session);
    spareDrained(session);
  });
};
