import { connect } from 'node:net';
import { Metadata, credentials } from '@grpc/grpc-js';
import { HealthCheckResponse_ServingStatus as Serving, HealthClient } from '@weft/proto/health';
import type { ServiceName } from './services';

const ANSWER_LIMIT_MS = 1_000;

/**
 * True if the process of that service on a port of 127.0.0.1 says that it can take work. False also without an answer.
 */
export async function isHealthy(service: ServiceName, port: number): Promise<boolean> {
  // asked first because a gRPC channel that met a closed port waits a second before it tries again
  if (!(await isListening(port))) return false;
  return service === 'gateway' ? isHttpReady(port) : isGrpcServing(port);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: ANSWER_LIMIT_MS });
    const finish = (answer: boolean): void => {
      socket.destroy();
      settle(answer);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
  });
}

async function isHttpReady(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function isGrpcServing(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const client = new HealthClient(`ipv4:127.0.0.1:${port}`, credentials.createInsecure());
    client.check({ service: '' }, new Metadata(), { deadline: Date.now() + ANSWER_LIMIT_MS }, (error, response) => {
      client.close();
      settle(error === null && response.status === Serving.SERVING);
    });
  });
}
