import { credentials, Metadata, status as GrpcCode } from '@grpc/grpc-js';
import { HealthCheckResponse_ServingStatus as Serving, HealthClient } from '@weft/proto/health';
import { connect, createServer } from 'node:net';
import { withWaitingPort } from '../src/grpc';

const HOST = '127.0.0.1';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, HOST, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** The answer of the health service, or the code of the error. */
const check = (port: number, service: string): Promise<string> =>
  new Promise((resolve) => {
    const client = new HealthClient(`ipv4:${HOST}:${port}`, credentials.createInsecure());
    client.check({ service }, new Metadata(), { deadline: Date.now() + 10_000 }, (error, response) => {
      client.close();
      resolve(error === null ? (Serving[response.status] ?? '') : (GrpcCode[error.code] ?? ''));
    });
  });

const watch = (port: number): Promise<string> =>
  new Promise((resolve) => {
    const client = new HealthClient(`ipv4:${HOST}:${port}`, credentials.createInsecure());
    const stream = client.watch({ service: '' });
    stream.on('error', (error: { readonly code?: number }) => {
      client.close();
      resolve(GrpcCode[error.code ?? 0] ?? '');
    });
    stream.on('data', () => resolve('data'));
  });

describe('a port that waits for the start of its service', () => {
  it('answers probes as alive and not ready, and refuses other calls as unavailable', async () => {
    const port = await freePort();
    await withWaitingPort({ host: HOST, port }, async () => {
      expect(await check(port, 'liveness')).toBe('SERVING');
      expect(await check(port, 'readiness')).toBe('NOT_SERVING');
      expect(await check(port, '')).toBe('NOT_SERVING');
      expect(await watch(port)).toBe('UNAVAILABLE');
    });
  });

  it('is free when the start has ended or failed, whoever is still connected', async () => {
    const port = await freePort();
    for (const end of [() => Promise.resolve(), () => Promise.reject(new Error('no start'))]) {
      const ended = await withWaitingPort({ host: HOST, port }, async () => {
        const socket = connect(port, HOST).on('error', () => undefined);
        await new Promise((resolve) => socket.once('connect', resolve));
        expect(await check(port, 'liveness')).toBe('SERVING');
        await end();
      }).catch((error: Error) => error.message);
      expect([undefined, 'no start']).toContain(ended);
    }
    await expect(withWaitingPort({ host: HOST, port }, () => Promise.resolve('free'))).resolves.toBe('free');
  });

  it('says which port is taken', async () => {
    const port = await freePort();
    await withWaitingPort({ host: HOST, port }, async () => {
      await expect(withWaitingPort({ host: HOST, port }, () => Promise.resolve())).rejects.toThrow(
        'Set PORT to a free',
      );
    });
  });
});
