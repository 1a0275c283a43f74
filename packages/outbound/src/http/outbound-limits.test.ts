import { closeAfterEach } from '@weft/service-kit/testing';
import { randomBytes } from 'node:crypto';
import { Readable, pipeline } from 'node:stream';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { OutboundError, type OutboundRequest } from './outbound-http';
import { createOutboundClient, type OutboundClient } from './outbound-client';
import { type LocalServer, serveHttp, serveTcp } from '../testing/local-server';

const failureOf = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise;
    return 'no failure';
  } catch (error) {
    return error instanceof OutboundError ? error.code : String(error);
  }
};

const until = async (holds: () => boolean): Promise<void> => {
  const end = Date.now() + 30_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error('The condition did not come true within 30 s.');
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
};

function* randomChunks(): Iterable<Buffer> {
  for (;;) yield randomBytes(64 * 1024);
}

describe('the limits of the outbound client', () => {
  let client: OutboundClient;
  const later = closeAfterEach();
  const started = async (starting: Promise<LocalServer>): Promise<LocalServer> =>
    later(await starting, (server) => server.close());
  const fetched = (server: LocalServer, more: Partial<OutboundRequest> = {}) =>
    client.request({ method: 'GET', url: `${server.url}/`, timeoutMs: 5_000, followRedirects: true, ...more });

  beforeAll(() => {
    client = createOutboundClient({ allow: ['127.0.0.0/8'], sockets: { perHost: 2 } });
  });
  afterEach(() => jest.useRealTimers());
  afterAll(() => client.close());

  const body = randomBytes(600_000);
  const answering = (coding: string): Promise<LocalServer> =>
    started(
      serveHttp((_request, response) => {
        if (coding === 'stated') response.writeHead(200, { 'content-length': body.length }).end(body);
        else if (coding === 'gzip') response.writeHead(200, { 'content-encoding': coding }).end(gzipSync(body));
        else pipeline(Readable.from([body]), response, () => undefined);
      }),
    );
  it.each(['stated', 'chunked', 'gzip'])(
    'read a large body as far as there is room for it, while its time stands still (%s)',
    async (coding) => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
      const asked: number[] = [];
      const make = (bytes: number): Promise<void> => {
        asked.push(bytes);
        jest.advanceTimersByTime(400);
        return Promise.resolve();
      };
      const bodyRoom = { make, hold: () => Promise.resolve() };
      const response = await fetched(await answering(coding), { bodyRoom, timeoutMs: 350 });
      expect(body.equals(response.body)).toBe(true);
      expect(asked.at(-1)).toBeGreaterThanOrEqual(body.length);
      expect(asked.every((bytes, index) => bytes > (asked[index - 1] ?? 256 * 1024))).toBe(true);
      if (coding === 'stated') expect(asked).toEqual([body.length]);
    },
  );

  it.each(['stated', 'gzip'])('end with the reason for which there is no room (%s)', async (coding) => {
    const none = new OutboundError('TOO_LARGE', 'No room.');
    const server = await answering(coding);
    const hold = (): Promise<void> => Promise.resolve();
    await expect(fetched(server, { bodyRoom: { make: () => Promise.reject(none), hold } })).rejects.toBe(none);
    const asked: number[] = [];
    const make = (bytes: number): Promise<void> => Promise.resolve(void asked.push(bytes));
    await fetched(await started(serveHttp((_request, response) => response.end(text))), { bodyRoom: { make, hold } });
    expect(asked).toEqual([]);
  });

  const text = Buffer.from('some text that is compressed '.repeat(50));
  it.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['zstd', zstdCompressSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['GZIP', gzipSync(text).subarray(0, -8)],
    ['identity', text],
    ['unheard-of', text],
    ['gzip, gzip, gzip', text],
  ])('undo the coding %s', async (coding, bytes) => {
    const server = await started(
      serveHttp((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end(bytes);
      }),
    );
    expect(Buffer.from((await fetched(server)).body).equals(text)).toBe(true);
  });

  it.each(['gzip', 'deflate', 'br', 'zstd'])(
    'give an empty body for an empty %s one, and PROTOCOL for a damaged one',
    async (coding) => {
      const server = await started(
        serveHttp((request, response) => {
          response.writeHead(200, { 'content-encoding': coding }).end(request.method === 'POST' ? 'x'.repeat(99) : '');
        }),
      );
      expect((await fetched(server)).body).toHaveLength(0);
      expect(await failureOf(fetched(server, { method: 'POST' }))).toBe('PROTOCOL');
    },
  );

  it.each([
    ['gzip', gzipSync(Buffer.alloc(60_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(60_000_000))],
    ['zstd', zstdCompressSync(Buffer.alloc(60_000_000))],
    ['deflate', deflateSync(Buffer.alloc(60_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(60_000_000)))],
  ])('stop a %s bomb after the first megabytes', async (coding, bomb) => {
    const server = await started(
      serveHttp((_request, response) => {
        response.writeHead(200, { 'content-encoding': coding }).end(bomb);
      }),
    );
    const before = process.memoryUsage().rss;
    expect(await failureOf(fetched(server, { maxResponseBytes: 50_000_000 }))).toBe('TOO_LARGE');
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  it('stop at the byte limit, with or without an announced length', async () => {
    const server = await started(
      serveHttp((request, response) => {
        if (request.method === 'POST') response.end(Buffer.alloc(2_000));
        else response.writeHead(200, { 'transfer-encoding': 'chunked' }).end(Buffer.alloc(2_000));
      }),
    );
    expect(await failureOf(fetched(server, { maxResponseBytes: 1_999 }))).toBe('TOO_LARGE');
    expect(await failureOf(fetched(server, { maxResponseBytes: 1_999, method: 'POST' }))).toBe('TOO_LARGE');
    expect((await fetched(server, { maxResponseBytes: 2_000 })).body).toHaveLength(2_000);
    await until(() => server.openSockets() <= 1);
  });

  it('close the connection of a compressed body that does not end', async () => {
    const server = await started(
      serveHttp((_request, response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' });
        pipeline(Readable.from(randomChunks()), createGzip(), response, () => undefined);
      }),
    );
    expect(await failureOf(fetched(server, { maxResponseBytes: 3_000_000 }))).toBe('TOO_LARGE');
    await until(() => server.openSockets() === 0);
  });

  it('end a response that never starts, a slow body and a head that never ends, and their connections', async () => {
    const silent = await started(serveTcp(() => undefined));
    const slow = await started(
      serveHttp((_request, response) => {
        response.write('a bit');
      }),
    );
    const endless = await started(
      serveTcp((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nx-a: ');
      }),
    );
    for (const server of [silent, slow, endless]) {
      expect(await failureOf(fetched(server, { timeoutMs: 60 }))).toBe('TIMEOUT');
      await until(() => server.openSockets() === 0);
    }
  });

  it('give no part of a body as the whole when time is up, if only the connection says where it ends', async () => {
    const head = 'HTTP/1.1 200 OK\r\nconnection: close\r\n';
    for (const more of ['', 'content-encoding: gzip\r\n']) {
      const body = more === '' ? Buffer.from('a part') : gzipSync('a part').subarray(0, -8);
      const server = await started(
        serveTcp((socket) => {
          socket.write(`${head}${more}\r\n`);
          socket.write(body);
        }),
      );
      expect(await failureOf(fetched(server, { timeoutMs: 300 }))).toBe('TIMEOUT');
    }
  });

  it('count the wait for a free connection as time of the request', async () => {
    const silent = await started(serveTcp(() => undefined));
    const all = await Promise.all([1, 2, 3, 4].map(() => failureOf(fetched(silent, { timeoutMs: 80 }))));
    expect(all).toEqual(['TIMEOUT', 'TIMEOUT', 'TIMEOUT', 'TIMEOUT']);
    expect(silent.connections()).toBeLessThanOrEqual(3);
    await until(() => silent.openSockets() === 0);
  });

  it('count the look-up of the name as time of the request', async () => {
    const resolve = () => new Promise<never>(() => undefined);
    const stuck = later(createOutboundClient({ allow: [], resolve }), (open) => open.close());
    expect(
      await failureOf(
        stuck.request({ method: 'GET', url: 'http://slow.example/', timeoutMs: 50, followRedirects: false }),
      ),
    ).toBe('TIMEOUT');
  });

  it('end at once when the caller gives up, before and during the request', async () => {
    const silent = await started(serveTcp(() => undefined));
    const controller = new AbortController();
    const pending = failureOf(fetched(silent, { signal: controller.signal }));
    await until(() => silent.openSockets() === 1);
    controller.abort();
    expect(await pending).toBe('ABORTED');
    await until(() => silent.openSockets() === 0);
    expect(await failureOf(fetched(silent, { signal: controller.signal }))).toBe('ABORTED');
  });

  it('refuse heads that are too large, endless or have too many headers', async () => {
    const large = await started(
      serveTcp((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'a'.repeat(70_000)}\r\n\r\n`);
      }),
    );
    const many = await started(
      serveTcp((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(600)}content-length: 0\r\n\r\n`);
      }),
    );
    const endless = await started(
      serveTcp((socket) => {
        const send = (): void => {
          while (socket.writable && socket.write('x-a: bbbbbbbbbbbbbbbb\r\n'));
        };
        socket.write('HTTP/1.1 200 OK\r\n');
        socket.on('drain', send);
        send();
      }),
    );
    for (const server of [large, many, endless]) {
      expect(await failureOf(fetched(server))).toBe('TOO_LARGE');
      await until(() => server.openSockets() === 0);
    }
  });

  it('distinguish nonsense and a broken connection from an answer', async () => {
    const nonsense = await started(
      serveTcp((socket) => {
        socket.end('SSH-2.0-OpenSSH_9.2\r\n');
      }),
    );
    const cut = await started(
      serveTcp((socket) => {
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc');
      }),
    );
    const gone = await started(
      serveTcp((socket) => {
        socket.destroy();
      }),
    );
    const upgraded = await started(
      serveTcp((socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
      }),
    );
    expect(await failureOf(fetched(nonsense))).toBe('PROTOCOL');
    expect(await failureOf(fetched(cut))).toBe('CONNECTION_LOST');
    expect(await failureOf(fetched(gone))).toBe('CONNECTION_LOST');
    expect(await failureOf(fetched(upgraded))).toMatch(/CONNECTION_LOST|PROTOCOL/);
  });

  it('stop a request body that is too large, and one that was answered before its end', async () => {
    const server = await started(
      serveHttp((request, response) => {
        if (request.url === '/early') response.writeHead(413).end('no');
        else request.resume().on('end', () => response.end());
      }),
    );
    const endless = async function* (): AsyncIterable<Uint8Array> {
      for (;;) yield Buffer.alloc(1024 * 1024);
    };
    expect(await failureOf(fetched(server, { method: 'POST', body: { open: endless } }))).toBe('TOO_LARGE');
    const early = await client.request({
      method: 'POST',
      url: `${server.url}/early`,
      timeoutMs: 5_000,
      followRedirects: false,
      body: { open: endless },
    });
    expect(early.status).toBe(413);
    await until(() => server.openSockets() === 0);
  });
});
