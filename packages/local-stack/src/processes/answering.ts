import { connect } from 'node:net';
import { credentials, Metadata } from '@grpc/grpc-js';
import { HealthCheckResponse_ServingStatus as Serving, HealthClient } from '@weft/proto/health';

/** Where a process is asked, and how long it may take to answer. */
export interface Asked {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

const isListening = ({ host, port, timeoutMs }: Asked): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const finish = (is: boolean): void => {
      socket.destroy();
      resolve(is);
    };
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
  });

/** True if its gRPC health service reports that it serves. @param service empty: the process as a whole */
export const isServing = async (asked: Asked, service = ''): Promise<boolean> => {
  // A channel that met a closed port would wait a second before it tries again.
  if (!(await isListening(asked))) return false;
  return new Promise((resolve) => {
    const client = new HealthClient(`ipv4:${asked.host}:${asked.port}`, credentials.createInsecure());
    client.check({ service }, new Metadata(), { deadline: Date.now() + asked.timeoutMs }, (error, answer) => {
      client.close();
      resolve(error === null && answer.status === Serving.SERVING);
    });
  });
};

/** Status of its answer to a GET of that path; undefined without one. */
export const statusOf = async ({ host, port, timeoutMs }: Asked, path: string): Promise<number | undefined> => {
  try {
    const answer = await fetch(`http://${host}:${port}${path}`, {
      signal: AbortSignal.timeout(timeoutMs),
      // The question must not hold a connection open in a process that drains.
      headers: { connection: 'close' },
    });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return undefined;
  }
};
