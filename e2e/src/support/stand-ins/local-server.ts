import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request to a server of the test. */
export interface LocalRequest {
  readonly body: unknown;
  readonly idempotencyKey: string | undefined;
  readonly traceparent: string | undefined;
}

/** A server of the test that workflows call. */
export interface LocalServer {
  readonly url: string;
  /** The requests so far. */
  readonly requests: readonly LocalRequest[];
  readonly stop: () => Promise<void>;
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)));

/** Starts a server that answers every request with the given JSON once `released` resolves. */
export const startLocalServer = async (
  answer: unknown,
  released: () => Promise<unknown> = () => Promise.resolve(),
): Promise<LocalServer> => {
  const requests: LocalRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const header = (name: string): string | undefined => request.headersDistinct[name]?.[0];
      const text = Buffer.concat(parts).toString('utf8');
      requests.push({
        body: text === '' ? undefined : JSON.parse(text),
        idempotencyKey: header('idempotency-key'),
        traceparent: header('traceparent'),
      });
      response.setHeader('content-type', 'application/json');
      void released().then(() => response.end(JSON.stringify(answer)));
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
