import { status as GrpcCode } from '@grpc/grpc-js';
import {
  HealthCheckRequest,
  HealthCheckResponse,
  HealthCheckResponse_ServingStatus as Serving,
} from '@weft/proto/health';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { processTransport } from '../mutual-tls';

/** The error of a port that cannot be listened on, with what to do. */
export const portTaken = (host: string, port: number, reason: string): Error =>
  new Error(`Port ${port} of ${host} cannot be listened on (${reason}). Set PORT to a free one.`);

const CHECK = '/grpc.health.v1.Health/Check';
/** Bytes before a message: a flag and its length. */
const PREFIX = 5;
const MAX_REQUEST_BYTES = 4_096;
const MAX_CONNECTIONS = 100;
const CONTENT_TYPE = 'application/grpc+proto';

const refuse = (stream: ServerHttp2Stream): void =>
  stream.respond(
    {
      ':status': 200,
      'content-type': CONTENT_TYPE,
      'grpc-status': String(GrpcCode.UNAVAILABLE),
      'grpc-message': 'The service is starting.',
    },
    { endStream: true },
  );

const answerCheck = (stream: ServerHttp2Stream, request: Buffer): void => {
  const { service } = HealthCheckRequest.decode(request.subarray(PREFIX));
  const status = service === 'liveness' ? Serving.SERVING : Serving.NOT_SERVING;
  const message = HealthCheckResponse.encode({ status }).finish();
  const prefix = Buffer.alloc(PREFIX);
  prefix.writeUInt32BE(message.length, 1);
  stream.respond({ ':status': 200, 'content-type': CONTENT_TYPE }, { waitForTrailers: true });
  stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': String(GrpcCode.OK) }));
  stream.end(Buffer.concat([prefix, message]));
};

const serve = (stream: ServerHttp2Stream, path: string): void => {
  stream.on('error', () => stream.destroy());
  if (path !== CHECK) return refuse(stream);
  let request = Buffer.alloc(0);
  stream.on('data', (bytes: Buffer) => {
    request = Buffer.concat([request, bytes]);
    if (request.length > MAX_REQUEST_BYTES) stream.destroy();
  });
  stream.once('end', () => {
    try {
      answerCheck(stream, request);
    } catch {
      // Not a message of the health service.
      stream.destroy();
    }
  });
};

const listen = (server: Http2Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: Error) => reject(portTaken(host, port, error.message)));
    server.listen(port, host, resolve);
  });

/**
 * Runs the start of a service while its port already answers probes: alive, and not ready. Other calls are refused as
 * unavailable. The port is free again when the start has ended, for the server itself. A port that the system chooses
 * is not opened, since nobody knows it yet; nor is one over TLS, where probes use HTTP on the port of the metrics.
 * @throws Error if the port is taken, or the error of the start
 */
export const withWaitingPort = async <Result>(
  { host, port }: { readonly host: string; readonly port: number },
  start: () => Promise<Result>,
): Promise<Result> => {
  if (port === 0 || processTransport() !== undefined) return start();
  const sockets = new Set<Socket>();
  const server = createServer({ maxSessionMemory: 1 });
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('session', (session) => session.on('error', () => session.destroy()));
  server.on('stream', (stream, headers) => serve(stream, headers[':path'] ?? ''));
  await listen(server, host, port);
  try {
    return await start();
  } finally {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    // A session that has not begun outlives its own end; its socket does not.
    for (const socket of sockets) socket.destroy();
    await closed;
  }
};
