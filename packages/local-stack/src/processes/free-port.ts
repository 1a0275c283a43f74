import { createServer, type Server } from 'node:net';

// below the range from which the system takes ports for outgoing connections, so none of those can take it meanwhile
const LOWEST = 20_000;
const HIGHEST = 32_000;
/** Ports that a process reserves at once. */
const BLOCK = 50;

const listen = (port: number, host: string): Promise<Server | undefined> =>
  new Promise((settle) => {
    const server = createServer();
    server.once('error', () => settle(undefined));
    server.listen({ port, host, exclusive: true }, () => settle(server));
  });

/** True if a server could listen on that port of the given address now. */
export const isPortFree = async (port: number, host = '127.0.0.1'): Promise<boolean> => {
  const server = await listen(port, host);
  if (server === undefined) return false;
  await new Promise((closed) => server.close(closed));
  return true;
};

/** Ports of blocks that are reserved one after the other, from a given block on. */
async function* reservedPorts(firstBlock: number): AsyncGenerator<number, never> {
  const blocks = Math.floor((HIGHEST - LOWEST) / BLOCK);
  for (let block = firstBlock % blocks, refused = 0; refused < blocks; block = (block + 1) % blocks) {
    const first = LOWEST + block * BLOCK;
    const reservation = await listen(first, '127.0.0.1');
    refused = reservation === undefined ? refused + 1 : 0;
    if (reservation === undefined) continue;
    reservation.unref();
    for (let port = first + 1; port < first + BLOCK; port++) yield port;
  }
  throw new Error(`No port is free between ${LOWEST} and ${HIGHEST}.`);
}

/**
 * Creates a source of free ports of 127.0.0.1 that no other source gives while this process lives. A block of ports is
 * reserved by listening on the first of them: between the moment at which a port is found free and that at which a
 * server listens on it, another stack must not find it free too.
 */
export const createFreePorts = (firstBlock: number): ((count: number) => Promise<number[]>) => {
  const ports = reservedPorts(firstBlock);
  return async (count) => {
    const found: number[] = [];
    while (found.length < count) {
      const { value } = await ports.next();
      if (await isPortFree(value)) found.push(value);
    }
    return found;
  };
};

/** Different free ports of 127.0.0.1. Most processes find the block that their id names free. */
export const freePorts = createFreePorts(process.pid);

/** One free port of 127.0.0.1. */
export const freePort = async (): Promise<number> => {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('No port is free.');
  return port;
};
