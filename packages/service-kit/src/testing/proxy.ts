import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy to a server that can be cut and restored. */
export interface Proxy {
  readonly port: number;
  /** Ends every connection and accepts no new ones. */
  readonly cut: () => void;
  /** Keeps connections open but passes nothing on until `restore`, like a hanging host. */
  readonly freeze: () => void;
  readonly restore: () => void;
  /** Passes on what a freeze held back, as if it had only been slow. */
  readonly thaw: () => void;
  readonly close: () => Promise<void>;
}

/** Proxies TCP to a local server. */
export const startProxy = async (host: string, port: number): Promise<Proxy> => {
  const open = new Set<Socket>();
  let isCut = false;
  let isFrozen = false;
  const ways = new Set<{ readonly from: Socket; readonly to: Socket }>();
  const join = (from: Socket, to: Socket): void => {
    const way = { from, to };
    ways.add(way);
    from.on('close', () => ways.delete(way));
    if (!isFrozen) from.pipe(to);
  };
  const track = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => open.delete(socket));
  };
  const server = createServer((client) => {
    track(client);
    if (isCut) {
      client.destroy();
      return;
    }
    const target = connect(port, host);
    track(target);
    join(client, target);
    join(target, client);
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
    freeze: () => {
      isFrozen = true;
      for (const { from } of ways) from.unpipe();
    },
    thaw: () => {
      isFrozen = false;
      for (const { from, to } of ways) from.pipe(to);
    },
    restore: () => {
      // Frozen connections have lost data: make both ends reconnect.
      if (isFrozen) endAll();
      isFrozen = false;
      isCut = false;
    },
    close: () =>
      new Promise((resolve) => {
        endAll();
        server.close(() => resolve());
      }),
  };
};

export const portOf = (address: AddressInfo | string | null): number => {
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return address.port;
};
