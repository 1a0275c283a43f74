import type { Server } from '@grpc/grpc-js';
import type { Http2Server, Http2Session } from 'node:http2';
import { WINDOW_BYTES } from './channel';

const isHttp2Server = (value: unknown): value is Http2Server =>
  typeof value === 'object' && value !== null && 'updateSettings' in value && 'on' in value;

/**
 * Lets clients of a listening server send more than 64 KiB before an acknowledgement. grpc-js has no option for the
 * server's side yet (grpc/grpc-node#3058), so this reaches for its HTTP/2 servers.
 * @returns false if this version of grpc-js has them elsewhere: nothing is changed then.
 */
export const widenServerWindows = (server: Server): boolean => {
  const servers: unknown = Reflect.get(server, 'http2Servers');
  if (!(servers instanceof Map) || servers.size === 0) return false;
  for (const http2Server of servers.keys()) {
    if (!isHttp2Server(http2Server)) return false;
    http2Server.updateSettings({ initialWindowSize: WINDOW_BYTES });
    http2Server.on('session', (session: Http2Session) => {
      if ('setLocalWindowSize' in session && typeof session.setLocalWindowSize === 'function')
        session.setLocalWindowSize(WINDOW_BYTES);
    });
  }
  return true;
};
