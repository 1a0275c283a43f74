import { createServer, request as sendOn } from 'node:http';
import { type Socket, connect } from 'node:net';

/** A request to a test proxy: `CONNECT host:port`, or `GET http://host/path`. */
export interface ProxiedRequest {
  readonly line: string;
  readonly host: string | undefined;
  readonly authorization: string | undefined;
}

/** A forward proxy on 127.0.0.1 that leads every host to 127.0.0.1. */
export interface ProxyServer {
  readonly port: number;
  /** Value for OUTBOUND_PROXY. */
  readonly url: string;
  readonly seen: ProxiedRequest[];
  /** Maximum number of connections that were open at once. */
  mostOpen(): number;
  close(): Promise<void>;
}

/**
 * Starts a proxy. `refuse` returns the status to answer with instead of the host, or undefined to let the request
 * through.
 */
export async function serveProxy(
  refuse: (seen: ProxiedRequest) => number | undefined = () => undefined,
): Promise<ProxyServer> {
  const seen: ProxiedRequest[] = [];
  const open = new Set<Socket>();
  let mostOpen = 0;
  const note = (line: string, headers: NodeJS.Dict<string | string[]>): ProxiedRequest => {
    const one = { line, host: String(headers['host']), authorization: headers['proxy-authorization']?.toString() };
    seen.push(one);
    return one;
  };
  const server = createServer((request, response) => {
    const refusal = refuse(note(`${request.method ?? ''} ${request.url ?? ''}`, request.headers));
    if (refusal !== undefined) return void response.writeHead(refusal).end();
    const { port, pathname, search } = new URL(request.url ?? '');
    const on = sendOn(
      { host: '127.0.0.1', port, method: request.method, path: pathname + search, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    on.on('error', () => response.destroy());
    request.pipe(on);
  });
  server.on('connect', (request, client: Socket) => {
    const refusal = refuse(note(`CONNECT ${request.url ?? ''}`, request.headers));
    if (refusal !== undefined) return void client.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
    const host = connect(Number(/:(\d+)$/.exec(request.url ?? '')?.[1]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      host.pipe(client);
      client.pipe(host);
    });
    host.on('error', () => client.destroy());
    client.on('error', () => host.destroy());
    client.on('close', () => host.destroy());
  });
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    mostOpen = Math.max(mostOpen, open.size);
    socket.once('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    seen,
    mostOpen: () => mostOpen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}
