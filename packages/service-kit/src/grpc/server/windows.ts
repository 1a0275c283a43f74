import type { Server, ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { constants, type Http2Server } from 'node:http2';
import { WINDOW_BYTES } from '../client/channel';

const isHttp2Server = (value: unknown): value is Http2Server =>
  typeof value === 'object' && value !== null && 'updateSettings' in value && 'on' in value;

/** The HTTP/2 servers of a listening server; empty if this version of grpc-js stores them elsewhere. */
export const http2ServersOf = (server: Server): readonly Http2Server[] => {
  const servers: unknown = Reflect.get(server, 'http2Servers');
  return servers instanceof Map ? [...servers.keys()].filter(isHttp2Server) : [];
};

/**
 * Lets calls to a listening server send more than 64 KiB before an acknowledgement, once their connection may
 * (`widenConnection`). grpc-js has no server option for this yet (grpc/grpc-node#3058), so this reaches into its HTTP/2
 * servers.
 * @returns false if this version of grpc-js stores them elsewhere; nothing is changed then
 */
export const widenServerWindows = (server: Server): boolean => {
  const servers = http2ServersOf(server);
  for (const http2Server of servers) http2Server.updateSettings({ initialWindowSize: WINDOW_BYTES });
  return servers.length > 0;
};

/** Reads a member that the types of grpc-js do not declare. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const widened = new WeakSet<object>();

/**
 * Lets the connection of a call send more than 64 KiB before an acknowledgement. Until then, the calls of a connection
 * can together occupy only that much memory plus each stream's read-ahead.
 */
export const widenConnection = (call: ServerInterceptingCallInterface): void => {
  const session = memberOf(memberOf(call, 'stream'), 'session');
  if (typeof session !== 'object' || session === null || widened.has(session)) return;
  widened.add(session);
  if ('setLocalWindowSize' in session && typeof session.setLocalWindowSize === 'function')
    session.setLocalWindowSize(WINDOW_BYTES);
};

/**
 * Asks the sender of a refused call to stop sending. Otherwise grpc-js receives and discards the rest, so a refused
 * caller uses as much of the network as a served one. Calls whose response has a message are skipped: their status
 * follows the message, and closing the stream would cut it off.
 */
export const stopReceiving = (call: ServerInterceptingCallInterface): void => {
  const stream = memberOf(call, 'stream');
  if (typeof stream !== 'object' || stream === null || memberOf(stream, 'readableEnded') === true) return;
  if (memberOf(memberOf(stream, 'sentHeaders'), 'grpc-status') === undefined) return;
  // NO_ERROR (RFC 9113, 8.1): the response was complete, and its status counts.
  if ('close' in stream && typeof stream.close === 'function') stream.close(constants.NGHTTP2_NO_ERROR);
};

/** Refuses messages larger than `maxBytes` before they are received. */
export const limitMessages = (call: ServerInterceptingCallInterface, maxBytes: number): void => {
  const decoder = memberOf(call, 'decoder');
  if (typeof decoder === 'object' && decoder !== null) Reflect.set(decoder, 'maxReadMessageLength', maxBytes);
};
