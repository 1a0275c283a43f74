import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Session } from 'node:http2';
import { memberOf } from './windows';

type PingCallback = Parameters<ClientHttp2Session['ping']>[1];

/** Published by Node for each stream that a client opens. */
const STREAM_CREATED = 'http2.client.stream.created';

const NO_PAYLOAD = Buffer.alloc(8);

const isSession = (value: unknown): value is ClientHttp2Session =>
  typeof value === 'object' && value !== null && 'ping' in value && 'closed' in value;

/** Skips pings on a draining connection and treats them as answered. */
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
 * Lets the calls in flight on a connection end after its server has asked for another one, or after its channel was
 * closed. Node no longer sends pings on such a connection, which grpc-js mistakes for a lost connection: its next
 * keepalive would drop all of those calls (grpc/grpc-node#3068). Their deadlines and the server's grace period still
 * bound them.
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
