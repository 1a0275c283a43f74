import type { Server, ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { constants, type Http2Server } from 'node:http2';
import { WINDOW_BYTES } from './channel';

const isHttp2Server = (value: unknown): value is Http2Server =>
  typeof value === 'object' && value !== null && 'updateSettings' in value && 'on' in value;

/** The HTTP/2 servers of a listening server; none if this version of grpc-js has them elsewhere. */
export const http2ServersOf = (server: Server): readonly Http2Server[] => {
  const servers: unknown = Reflect.get(server, 'http2Servers');
  return servers instanceof Map ? [...servers.keys()].filter(isHttp2Server) : [];
};

/**
 * Lets calls to a listening server send more than 64 KiB before an acknowledgement, once their connection may
 * (`widenConnection`). grpc-js has no option for the server's side yet (grpc/grpc-node#3058), so this reaches for its
 * HTTP/2 servers.
 * @returns false if this version of grpc-js has them elsewhere: nothing is changed then.
 */
export const widenServerWindows = (server: Server): boolean => {
  const servers = http2ServersOf(server);
  for (const http2Server of servers) http2Server.updateSettings({ initialWindowSize: WINDOW_BYTES });
  return servers.length > 0;
};

/** Reads a member that the types of grpc-js do not show. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const widened = new WeakSet<object>();

/**
 * Lets the connection of a call send more than 64 KiB before an acknowledgement. Before this, its calls
 * together can put that into memory, and what each stream reads ahead.
 */
export const widenConnection = (call: ServerInterceptingCallInterface): void => {
  const session = memberOf(memberOf(call, 'stream'), 'session');
  if (typeof session !== 'object' || session === null || widened.has(session)) return;
  widened.add(session);
  if ('setLocalWindowSize' in session && typeof session.setLocalWindowSize === 'function')
    session.setLocalWindowSize(WINDOW_BYTES);
};

/**
 * Asks the sender of a refused call to send no more of it. grpc-js receives the rest and throws it away, so that a
 * refused caller costs as much of the network as one who is served. A call whose answer has a message is left alone:
 * its status follows behind the message, and closing the stream would cut it off.
 */
export const stopReceiving = (call: ServerInterceptingCallInterface): void => {
  const stream = memberOf(call, 'stream');
  if (typeof stream !== 'object' || stream === null || memberOf(stream, 'readableEnded') === true) return;
  if (memberOf(memberOf(stream, 'sentHeaders'), 'grpc-status') === undefined) return;
  // Without an error (RFC 9113, 8.1): the answer was complete, and its status counts.
  if ('close' in stream && typeof stream.close === 'function') stream.close(constants.NGHTTP2_NO_ERROR);
};

/** Refuses messages of a call that are larger than `maxBytes`, before they are received. */
export const limitMessages = (call: ServerInterceptingCallInterface, maxBytes: number): void => {
  const decoder = memberOf(call, 'decoder');
  if (typeof decoder === 'object' && decoder !== null) Reflect.set(decoder, 'maxReadMessageLength', maxBytes);
};
