import { createServer, type Server } from 'node:http';
import { registry } from './registry';

/** Longest time for a request to arrive, in milliseconds. */
const REQUEST_MS = 5_000;
/** Scrapers that may be connected at once. */
const MAX_CONNECTIONS = 20;

const createMetricsServer = (): Server => {
  const server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    const isScrape = request.method === 'GET' && request.url?.split('?')[0] === '/metrics';
    if (!isScrape) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Only GET /metrics is served on this port.\n');
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  return server;
};

/**
 * Serves the metrics of this process as text on `/metrics`, on a port of their own: what scrapes them needs no access
 * to the port of the service. They are served until the process ends.
 * @returns the port
 * @throws Error if the port is taken
 */
export const serveMetrics = (host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createMetricsServer();
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
