import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { serveDns } from '@weft/local-stack';
import { isPublic } from './addresses';
import { lookUpNames, REDIRECTS } from './names';

/** Address of the name server. */
export const NAME_SERVER = '127.0.0.53';
/** Port of servers that hang up at once, whatever their protocol. */
export const RAW_PORT = 9000;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** Accepted connections. */
export interface Accepted {
  /** Number of connections to addresses that are not public. */
  readonly forbidden: number;
  readonly addresses: readonly string[];
  readonly publicAddresses: readonly string[];
}

/** A network in which this process has every address, and counts the connections to each. */
export interface CountingWorld {
  /** Connections accepted since the last call. */
  take(): Accepted;
  close(): void;
}

/** Redirects requests to hosts below `redirect.example`, and returns the URL of the next page. */
const answer: RequestListener = (request, response) => {
  const url = new URL(request.url ?? '/', 'http://public.example');
  const [, status, key = ''] = /^(\d{3})-(\w+)\.redirect\.example/.exec(request.headers.host ?? '') ?? [];
  const location = REDIRECTS[key];
  request.resume();
  response.setHeader('connection', 'close');
  if (location !== undefined)
    response.writeHead(Number(status), { location: Buffer.from(location).toString('latin1') });
  else response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ next: url.searchParams.get('next') }));
};

/** Opens it. The process must have every address: see `EVERY_ADDRESS`. */
export async function openCountingWorld(): Promise<CountingWorld> {
  let accepted: string[] = [];
  const count = (socket: Socket): void => {
    socket.on('error', () => undefined);
    accepted.push((socket.localAddress ?? 'unknown').replace(/^::ffff:(?=[\d.]+$)/, ''));
  };
  const listen = async (server: Server, port: number): Promise<Server> => {
    server.on('connection', count);
    await new Promise<void>((resolve) => {
      server.listen(port, '::', resolve);
    });
    return server;
  };
  const hangUp = (socket: Socket): void => void socket.destroySoon();
  const servers = [
    await listen(createServer(answer), HTTP_PORT),
    await listen(createTcpServer(hangUp), HTTPS_PORT),
    await listen(createTcpServer(hangUp), RAW_PORT),
  ];
  const closeDns = await serveDns(NAME_SERVER, lookUpNames(), 0);
  return {
    take: () => {
      const forbidden = accepted.filter((address) => !isPublic(address));
      const publicAddresses = new Set(accepted.filter(isPublic));
      accepted = [];
      return {
        forbidden: forbidden.length,
        addresses: [...new Set(forbidden)].sort(),
        publicAddresses: [...publicAddresses],
      };
    },
    close: () => {
      closeDns();
      for (const server of servers) server.close();
    },
  };
}
