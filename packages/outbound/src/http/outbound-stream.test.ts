import { closeAfterEach, until } from '@weft/service-kit/testing';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { OutboundError, OutboundRefused, type OutboundStream, type OutboundStreamRequest } from './outbound-http';
import { createOutboundClient, type OutboundClient } from './outbound-client';
import { type LocalServer, serveHttp, serveTcp } from '../testing/local-server';
import { serveProxy } from '../testing/proxy-server';

const codeOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
    return 'no failure';
  } catch (error) {
    return error instanceof OutboundRefused ? error.rule : error instanceof OutboundError ? error.code : String(error);
  }
};

const textOf = async ({ chunks }: OutboundStream): Promise<string> => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
};

describe('a streamed response', () => {
  let client: OutboundClient;
  const later = closeAfterEach();
  const started = async (starting: Promise<LocalServer>): Promise<LocalServer> =>
    later(await starting, (server) => server.close());
  const opened = (server: LocalServer, more: Partial<OutboundStreamRequest> = {}): Promise<OutboundStream> =>
    client.stream({ method: 'GET', url: `${server.url}/`, timeoutMs: 10_000, followRedirects: true, ...more });
  const closed = (server: LocalServer): Promise<unknown> =>
    until('the connection is closed', () => server.openSockets() === 0);

  beforeAll(() => {
    client = createOutboundClient({ allow: ['127.0.0.0/8'], sockets: { perHost: 2 } });
  });
  afterAll(() => client.close());

  it('has its head before its body, and each chunk when the server sends it', async () => {
    let send: (text: string) => void = () => undefined;
    let end = (): void => undefined;
    const server = await started(
      serveHttp((_request, response) => {
        response.writeHead(201, { 'x-answer': 'yes' }).flushHeaders();
        send = (text) => void response.write(text);
        end = () => void response.end();
      }),
    );
    const stream = await opened(server);
    expect(stream).toMatchObject({ status: 201, url: `${server.url}/`, headers: { 'x-answer': 'yes' } });
    const chunks = stream.chunks[Symbol.asyncIterator]();
    for (const text of ['one', 'two']) {
      send(text);
      expect(Buffer.from((await chunks.next()).value ?? []).toString()).toBe(text);
    }
    end();
    expect((await chunks.next()).done).toBe(true);
  });

  it('leaves its connection for the next request once it has been read', async () => {
    const server = await started(serveHttp((_request, response) => response.end('hello')));
    for (let turn = 0; turn < 3; turn += 1) expect(await textOf(await opened(server))).toBe('hello');
    expect(server.connections()).toBe(1);
  });

  it('is asked for uncompressed, and decompressed anyway', async () => {
    const asked: unknown[] = [];
    const server = await started(
      serveHttp((request, response) => {
        asked.push(request.headers['accept-encoding']);
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
      }),
    );
    expect(await textOf(await opened(server))).toBe('hello');
    expect(await textOf(await opened(server, { headers: [['Accept-Encoding', 'gzip']] }))).toBe('hello');
    expect(asked).toEqual(['identity', 'gzip']);
  });

  it('is read no faster than the reader asks, and its time stands still meanwhile', async () => {
    let sent = 0;
    const server = await started(
      serveHttp((_request, response) => {
        const more = (): void => {
          while (sent < 64 * 1024 * 1024 && response.write(Buffer.alloc(64 * 1024))) sent += 64 * 1024;
        };
        response.on('drain', more);
        more();
      }),
    );
    const stream = await opened(server, { idleTimeoutMs: 100, maxResponseBytes: 100 * 1024 * 1024 });
    const chunks = stream.chunks[Symbol.asyncIterator]();
    await chunks.next();
    await setTimeout(300);
    expect((await chunks.next()).done).toBe(false);
    // buffers of the two sockets, and nothing in this process
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    await chunks.return?.();
    await closed(server);
  });

  it('ends at its byte limit, also when it never ends', async () => {
    const server = await started(
      serveHttp((_request, response) => {
        const more = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        };
        response.on('drain', more);
        more();
      }),
    );
    const stream = await opened(server, { maxResponseBytes: 1_000_000 });
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of stream.chunks) bytes += chunk.length;
    })();
    expect(await codeOf(reading)).toBe('TOO_LARGE');
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    await closed(server);
  });

  it('ends when the server pauses for too long, before the first chunk or later', async () => {
    const server = await started(
      serveHttp((request, response) => {
        response.flushHeaders();
        if (request.url === '/later') response.write('a');
      }),
    );
    for (const path of ['/first', '/later']) {
      const stream = await opened(server, { url: `${server.url}${path}`, idleTimeoutMs: 60 });
      await expect(textOf(stream)).rejects.toThrow('The host sent no part of its response within 60 ms.');
      await closed(server);
    }
  });

  it('ends at its overall time, if the server drips bytes', async () => {
    const server = await started(
      serveTcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        const timer = setInterval(() => socket.write('x'), 20);
        socket.on('close', () => clearInterval(timer));
      }),
    );
    const stream = await opened(server, { timeoutMs: 200, idleTimeoutMs: 150 });
    await expect(textOf(stream)).rejects.toThrow('There was no complete response within 200 ms.');
    await closed(server);
  });

  it('is not complete at its overall time if only the connection says where a compressed body ends', async () => {
    const server = await started(
      serveTcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: gzip\r\n\r\n');
        socket.write(gzipSync('a part').subarray(0, -8));
      }),
    );
    expect(await codeOf(textOf(await opened(server, { timeoutMs: 200 })))).toBe('TIMEOUT');
  });

  it('ends at its overall time, even if it is never read', async () => {
    const server = await started(serveHttp((_request, response) => void response.write('a')));
    const stream = await opened(server, { timeoutMs: 100 });
    await closed(server);
    expect(await codeOf(textOf(stream))).toBe('TIMEOUT');
  });

  it('is not complete if the connection closes in the middle', async () => {
    const server = await started(
      serveTcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n');
        socket.end();
      }),
    );
    expect(await codeOf((async () => textOf(await opened(server)))())).toBe('CONNECTION_LOST');
  });

  it('ends when the caller aborts, before and between chunks', async () => {
    const server = await started(serveHttp((_request, response) => void response.write('a')));
    const controller = new AbortController();
    const stream = await opened(server, { signal: controller.signal });
    const chunks = stream.chunks[Symbol.asyncIterator]();
    await chunks.next();
    const next = codeOf(chunks.next());
    controller.abort();
    expect(await next).toBe('ABORTED');
    await closed(server);
    expect(await codeOf(opened(server, { signal: controller.signal }))).toBe('ABORTED');
  });

  it('closes its connection when it is cancelled or its iteration is left, and is iterated only once', async () => {
    const server = await started(serveHttp((_request, response) => void response.write('a')));
    const unread = await opened(server);
    unread.cancel();
    await closed(server);
    const left = await opened(server);
    for await (const chunk of left.chunks) {
      expect(chunk).toHaveLength(1);
      break;
    }
    await closed(server);
    expect(() => left.chunks[Symbol.asyncIterator]()).toThrow('only once');
  });

  it('follows redirects by the same rules, and none to a forbidden host', async () => {
    const seen: unknown[] = [];
    const server = await started(
      serveHttp((request, response) => {
        seen.push(request.headers['x-key']);
        if (request.url === '/') response.writeHead(307, { location: '/there' }).end();
        else if (request.url === '/forbidden') response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
        else response.end('there');
      }),
    );
    const secret = { headers: [['x-key', 'k'] as const], secretHeaders: ['x-key'] };
    expect(await textOf(await opened(server, secret))).toBe('there');
    expect(seen).toEqual(['k', 'k']);
    expect(await codeOf(opened(server, { url: `${server.url}/forbidden` }))).toBe('link-local-address');
    expect(await codeOf(opened(server, { allowedHosts: ['api.example.com'] }))).toBe('credential-host');
    expect(await codeOf(opened(server, { maxRedirects: 0 }))).toBe('TOO_MANY_REDIRECTS');
  });

  it('counts against the requests to its host until it ends, behind a proxy', async () => {
    const server = await started(
      serveHttp((request, response) => {
        if (request.url === '/away') response.writeHead(302, { location: '/' }).end();
        else response.write('a');
      }),
    );
    const proxy = later(await serveProxy(), (one) => one.close());
    const allow = ['127.0.0.0/8'];
    const proxied = later(createOutboundClient({ allow, proxy: proxy.url, sockets: { total: 1 } }), (one) =>
      one.close(),
    );
    const request = { method: 'GET', url: `${server.url}/`, timeoutMs: 10_000, followRedirects: false };
    const away = { ...request, url: `${server.url}/away`, followRedirects: true, maxRedirects: 0 };
    expect(await codeOf(proxied.stream(away))).toBe('TOO_MANY_REDIRECTS');
    const first = await proxied.stream(request);
    expect(await codeOf(proxied.stream({ ...request, timeoutMs: 100 }))).toBe('TIMEOUT');
    first.cancel();
    first.cancel();
    const second = await proxied.stream(request);
    expect(await codeOf(proxied.stream({ ...request, timeoutMs: 100 }))).toBe('TIMEOUT');
    second.cancel();
  });
});
