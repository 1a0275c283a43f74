import { InvalidRequest } from '@weft/service-kit/errors';
import { createFaultLog, type Logger } from '@weft/service-kit/logging';
import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { RequestTooSlow } from './errors';
import { originForm } from './middleware/check-protocol';
import { errorText, restErrorOf } from './middleware/responses/error-response';
import type { UnderWay } from './middleware/limits/time-limit';

/** Connection limits. Times are in milliseconds. */
export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  /** Maximum concurrent connections; more are closed without a response. Default: 10,000. */
  readonly maxConnections?: number;
  /** Time for the headers of a request to arrive. Default: 15 s. */
  readonly headersMs?: number;
  /** Interval between checks for late connections. Default: 5 s. */
  readonly checkMs?: number;
}

/** Options for stopping a server. Times are in milliseconds. */
export interface HttpStop {
  /** Time for requests in progress, from the call on. */
  readonly drainMs: number;
  /**
   * Part of that time in which new connections and requests are still accepted, at most a quarter; responses ask the
   * client to close the connection.
   */
  readonly delayMs: number;
  readonly underWay: UnderWay;
}

/** A listening HTTP server. */
export interface HttpServer {
  readonly port: number;
  /**
   * Accepts no new connections after the delay, lets current requests finish, then answers the remaining ones with an
   * error.
   */
  readonly stop: (how: HttpStop) => Promise<void>;
}

const MAX_CONNECTIONS = 10_000;
/** Above the idle timeout of common load balancers, so that they close idle connections rather than the gateway. */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS = 15_000;
const CHECK_MS = 5_000;
/** Above the gateway's own longest timeout, which answers with an error body. */
const REQUEST_MS = 35_000;
const IDLE_SWEEP_MS = 50;
/** Time for writing the last responses, after which connections are cut. */
const LAST_ANSWERS_MS = 1_000;
const MAX_HEADER_BYTES = 16_384;

const isTimeout = (error: Error): boolean => 'code' in error && error.code === 'ERR_HTTP_REQUEST_TIMEOUT';

/** True if nothing has arrived on a connection since it was opened. */
const isUnused = (socket: Duplex): boolean => 'bytesRead' in socket && socket.bytesRead === 0;

/**
 * Answers input that is not HTTP, and so never becomes a request, with an error in the usual format. A connection that
 * its client opened in advance and left unused for too long is closed without a response: a request sent at that moment
 * would mistake it for its own, while a closed connection shows that nothing was done.
 */
const refuseConnection = (error: Error, socket: Duplex): void => {
  if (!socket.writable || (isTimeout(error) && isUnused(socket))) {
    socket.destroy();
    return;
  }
  const shown = isTimeout(error)
    ? new RequestTooSlow('The request did not arrive in time.')
    : new InvalidRequest('The HTTP request is malformed, or its headers are too large.');
  const { status } = restErrorOf(shown);
  const body = errorText(shown);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': randomUUID(),
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n${body}`);
};

const listen = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(new Error(`Cannot listen on ${host}:${port} (${error.message}). Set PORT to a free port.`)),
    );
    server.listen(port, host, () => {
      const address: AddressInfo | string | null = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });

const drain = (server: Server, { drainMs, underWay }: HttpStop): Promise<void> =>
  new Promise((resolve) => {
    let timer = setTimeout(() => {
      underWay.endAll();
      timer = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
    }, drainMs);
    // A connection stays open and idle after the response to its last request.
    const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(sweep);
      resolve();
    });
    server.closeIdleConnections();
  });

/** Starts listening. @throws Error if the port is taken */
export const startHttpServer = async (
  options: HttpServerOptions,
  logger: Logger,
  listener: RequestListener,
): Promise<HttpServer> => {
  let isStopping = false;
  const server = createServer({
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: options.headersMs ?? HEADERS_MS,
    requestTimeout: REQUEST_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    connectionsCheckingInterval: options.checkMs ?? CHECK_MS,
    // It is refused with an error body instead, like other expectations than 100-continue.
    requireHostHeader: false,
  });
  server.maxConnections = options.maxConnections ?? MAX_CONNECTIONS;
  const handle: RequestListener = (request, response) => {
    request.url = originForm(request.url ?? '/');
    if (isStopping) response.setHeader('connection', 'close');
    listener(request, response);
  };
  server.on('request', handle);
  // 100 Continue is sent when the body is read, not before the sender is authenticated.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('clientError', refuseConnection);
  const drops = createFaultLog(logger, 'connection closed: too many open connections');
  server.on('drop', () => drops.failed({}));
  const port = await listen(server, options.host, options.port);
  return {
    port,
    stop: async (how) => {
      isStopping = true;
      how.underWay.askToClose();
      const delayMs = Math.min(how.delayMs, how.drainMs / 4);
      await sleep(delayMs);
      await drain(server, { ...how, drainMs: how.drainMs - delayMs });
    },
  };
};
