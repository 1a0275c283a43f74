import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { registry } from './registry';

/** Maximum time for a request to arrive, in milliseconds. */
const REQUEST_MS = 5_000;
/** Maximum connections. One more closes the oldest, so that no client can lock out probes and scrapers. */
const MAX_CONNECTIONS = 20;

/** State of the process, for Kubernetes probes over HTTP. */
export interface ProbedState {
  readonly isLive: () => boolean;
  readonly isReady: () => Promise<boolean>;
  /** Why it is not ready, as far as it is known. */
  readonly reasons?: () => readonly string[];
}

const plain = { 'content-type': 'text/plain' } as const;

const writeState = (response: ServerResponse, isWell: boolean, reasons: readonly string[] = []): void => {
  const why = ['not now', ...reasons].join(': ');
  response.writeHead(isWell ? 200 : 503, plain).end(isWell ? 'ok\n' : `${why}\n`);
};

const answer =
  (state: ProbedState): RequestListener =>
  (request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?')[0] : undefined;
    if (path === '/livez') return writeState(response, state.isLive());
    if (path === '/readyz')
      return void state.isReady().then(
        (isReady) => writeState(response, isReady, state.reasons?.()),
        () => writeState(response, false),
      );
    if (path !== '/metrics')
      return void response
        .writeHead(404, plain)
        .end('Only GET /metrics, /livez and /readyz are served on this port.\n');
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };

/** Creates the server of that port, which is not yet listening. */
export const createMetricsServer = (state: ProbedState): Server => {
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, answer(state));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const [oldest] = sockets;
    if (sockets.size > MAX_CONNECTIONS) oldest?.destroy();
  });
  return server;
};

/**
 * Serves the metrics of this process as text on `/metrics` and its state on `/livez` and `/readyz`, on a separate port:
 * scrapers and probes need neither access to the service's port nor a certificate. Runs until the process ends.
 * @returns the port
 * @throws Error if the port is taken
 */
export const serveMetrics = (host: string, port: number, state: ProbedState): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createMetricsServer(state);
    server.once('error', ({ message }) =>
      reject(
        new Error(
          `Port ${port} of ${host} cannot be listened on (${message}). Set METRICS_PORT to a free one, or to 0.`,
        ),
      ),
    );
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
