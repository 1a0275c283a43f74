import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A server that repeats what it receives. A segment of the path says how. */
export interface EchoServer {
  readonly url: string;
  readonly port: number;
  /** Everything that it received, as text. */
  readonly received: () => string;
  /** Called with each request for `/hang`, which gets no other answer. */
  onHang: (response: ServerResponse) => void;
  readonly stop: () => Promise<void>;
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const close = (server: Server, sockets: Iterable<Socket>): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });

const trackSockets = (server: Server): Set<Socket> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  return sockets;
};

/** All that a request reveals about its sender. */
const seenOf = ({ headers, url = '' }: IncomingMessage, body: string): string =>
  [...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`), url, body].join('; ');

/** A reason phrase or header value, without characters that neither can contain. */
const inOneLine = (text: string): string => text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 4_000);

/** Ways to answer, named somewhere in the path: credentials may put something before it. */
const HOWS = ['refuse', 'file', 'redirect', 'cut', 'echo'] as const;

const answer = (request: IncomingMessage, body: string, response: ServerResponse): void => {
  const seen = seenOf(request, body);
  const values = Object.values(request.headers).map(String);
  const json = JSON.stringify({
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    url: request.url,
    body,
    seen,
    [`name ${seen}`]: 1,
    names: Object.fromEntries(values.map((value) => [value, true])),
    encoded: values.flatMap((value) => [
      encodeURIComponent(value),
      Buffer.from(value).toString('base64'),
      Buffer.from(value).toString('hex'),
    ]),
  });
  const how = HOWS.find((word) => (request.url ?? '').includes(`/${word}/`)) ?? 'echo';
  const isChallenged = (request.url ?? '').includes('httpDigestAuth') && request.headers.authorization === undefined;
  if (isChallenged) {
    response.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5' }).end();
    return;
  }
  switch (how) {
    case 'refuse':
      response.writeHead(500, inOneLine(seen), { 'content-type': 'application/json', 'x-seen': inOneLine(seen) });
      response.end(json);
      return;
    case 'file':
      response.writeHead(200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(seen).slice(0, 2_000)}`,
      });
      response.end('bytes');
      return;
    case 'redirect':
      response.writeHead(302, { location: `/echo?seen=${encodeURIComponent(seen).slice(0, 2_000)}` }).end();
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000000' });
      response.write(json, () => request.socket.destroy());
      return;
    case 'echo':
      response.writeHead(200, { 'content-type': 'application/json', 'x-seen': inOneLine(seen) }).end(json);
  }
};

/** Path at which Baserow exchanges a password for a token. */
const SIGN_IN = '/api/user/token-auth/';

/** Starts an HTTP server that repeats. @param tokenData answer of `/token`, for OAuth 2, and of sign-ins */
export const startEchoServer = async (tokenData: object): Promise<EchoServer> => {
  const received: string[] = [];
  const server = createHttpServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8');
      received.push(seenOf(request, body));
      if (request.url === '/hang') echo.onHang(response);
      else if (request.url === '/token' || request.url === SIGN_IN)
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(tokenData));
      else answer(request, body, response);
    });
  });
  const sockets = trackSockets(server);
  const port = await listen(server);
  const echo: EchoServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    received: () => received.join('\n'),
    onHang: (response) => void response.end('{}'),
    stop: () => close(server, sockets),
  };
  return echo;
};

/** A server of a line-based protocol, which refuses each line with a reply that repeats it. */
export interface LineServer {
  readonly port: number;
  readonly received: () => string;
  readonly stop: () => Promise<void>;
}

/** Starts one. @param greeting sent first; @param reply to each line */
export const startLineServer = async (greeting: string, reply: (text: string) => string): Promise<LineServer> => {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    if (greeting !== '') socket.write(greeting);
    socket.on('data', (part) => {
      const text = part.toString('latin1');
      received.push(text);
      socket.write(reply(text));
    });
  });
  const sockets = trackSockets(server);
  const port = await listen(server);
  return { port, received: () => received.join('\n'), stop: () => close(server, sockets) };
};
