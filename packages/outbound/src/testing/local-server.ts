import { type IncomingMessage, type RequestListener, type Server, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type Server as NetServer, type Socket, createServer as createNetServer } from 'node:net';
import { certificate, privateKey } from './test-certificate';

/** A server of a test, bound to 127.0.0.1 and a port of the system's choice. */
export interface LocalServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Connections that are open now. */
  openSockets(): number;
  /** Connections there ever were. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Serves HTTP with a request listener. */
export function serveHttp(listener: RequestListener): Promise<LocalServer> {
  return listen(createServer(listener), 'http');
}

/** Serves HTTPS with a self-signed certificate for localhost. */
export function serveHttps(listener: RequestListener): Promise<LocalServer> {
  return listen(createTlsServer({ key: privateKey, cert: certificate }, listener), 'https');
}

/** Serves raw bytes: what an HTTP server of this runtime would not send. */
export function serveTcp(onSocket: (socket: Socket) => void): Promise<LocalServer> {
  return listen(
    createNetServer((socket) => {
      // Unread bytes would hide that the other side has closed.
      socket.resume();
      onSocket(socket);
    }),
    'http',
  );
}

/** The whole body of a request a test server got. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) {
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function listen(server: NetServer | Server, scheme: string): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    port,
    openSockets: () => sockets.size,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
