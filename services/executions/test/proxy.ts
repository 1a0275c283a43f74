import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut and restored. */
export interface Proxy {
  readonly port: number;
  /** Ends every connection and takes no new ones. */
  readonly cut: () => void;
  readonly restore: () => void;
  readonly close: () => Promise<void>;
}

/** Passes bytes on to a server of this machine. */
export const startProxy = async (host: string, port: number): Promise<Proxy> => {
  const open = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (isCut) {
      client.destroy();
      return;
    }
    const target = connect(port, host);
    keep(target);
    client.pipe(target).pipe(client);
    client.on('close', () => target.destroy());
    target.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endAll = (): void => open.forEach((socket) => socket.destroy());
  return {
    port: portOf(server.address()),
    cut: () => {
      isCut = true;
      endAll();
    },
    restore: () => {
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        endAll();
        server.close(() => resolve());
      }),
  };
};

const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return address.port;
};
