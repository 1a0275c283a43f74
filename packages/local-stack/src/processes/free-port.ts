import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

// below the range from which the system takes ports for outgoing connections, so none of those can take it meanwhile
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** True if a server could listen on that port of the given address now. */
export function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer();
    server.once('error', () => settle(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => settle(true)));
  });
}

/** Different free ports of 127.0.0.1, picked at random so that two stacks rarely pick the same. */
export async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>();
  for (let attempt = 0; found.size < count && attempt < 1000; attempt++) {
    const port = randomInt(LOWEST, HIGHEST);
    if (!found.has(port) && (await isPortFree(port))) found.add(port);
  }
  if (found.size < count) throw new Error(`Fewer than ${count} ports are free between ${LOWEST} and ${HIGHEST}.`);
  return [...found];
}

/** One free port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('No port is free.');
  return port;
}
