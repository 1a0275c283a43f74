import { connect, createServer, type Server } from 'node:net';

/** Forwards connections to the address of a Service to one of its endpoints. */
export interface ServiceProxy {
  readonly close: () => void;
}

/**
 * Listens on the address of a Service. Each connection goes to a random endpoint, as with kube-proxy.
 * @param endpoints those that are known now
 */
export const proxyService = (
  address: string,
  port: number,
  targetPort: number,
  endpoints: () => readonly string[],
): Promise<ServiceProxy> =>
  new Promise((resolve, reject) => {
    const server: Server = createServer((client) => {
      const all = endpoints();
      const chosen = all[Math.floor(Math.random() * all.length)];
      if (chosen === undefined) return void client.destroy();
      const upstream = connect(targetPort, chosen);
      const end = (): void => {
        client.destroy();
        upstream.destroy();
      };
      client.on('error', end).on('close', end).pipe(upstream);
      upstream.on('error', end).on('close', end).pipe(client);
    });
    server.once('error', reject);
    server.listen(port, address, () => resolve({ close: () => void server.close() }));
  });
