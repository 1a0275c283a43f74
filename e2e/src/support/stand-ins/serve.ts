import { createServer, type IncomingMessage, type RequestListener } from 'node:http';

/** An HTTP server of a story. */
export interface StandIn {
  /** Without a slash at the end. */
  readonly url: string;
  /** Closes the server and its connections. */
  readonly stop: () => Promise<void>;
}

/** Serves HTTP at a free port of an address of this machine. */
export async function serve(listener: RequestListener, address = '127.0.0.1'): Promise<StandIn> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const at = server.address();
  return {
    url: `http://${address}:${typeof at === 'object' ? (at?.port ?? 0) : 0}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Reads the whole body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return body;
}
