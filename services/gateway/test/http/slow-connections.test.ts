import { createLogger } from '@weft/service-kit/logging';
import { closeAfterEach, keptLog, until } from '@weft/service-kit/testing';
import { connect, type Socket } from 'node:net';
import { type HttpServer, startHttpServer } from '../../src/http-server';
import { createUnderWay } from '../../src/middleware/limits/time-limit';
import { rawBytes } from '../support/raw-request';

describe('a connection without a timely request', () => {
  const later = closeAfterEach();
  /** Everything the server sends on a connection until it ends, after it received these bytes. */
  const said = async (bytes: string): Promise<string> => {
    const options = { host: '127.0.0.1', port: 0, headersMs: 300, checkMs: 50 };
    const server: HttpServer = await startHttpServer(options, createLogger('gateway', 'silent'), (_request, response) =>
      response.end('fine'),
    );
    later(server, ({ stop }) => stop({ delayMs: 0, drainMs: 0, underWay: createUnderWay() }));
    const socket = later(connect(server.port, '127.0.0.1'), (open) => open.destroy());
    socket.write(bytes);
    return new Promise((resolve, reject) => {
      let text = '';
      socket.on('data', (piece: Buffer) => (text += piece.toString()));
      socket.once('error', reject);
      socket.once('close', () => resolve(text));
    });
  };

  it('is closed without a response, which a request would mistake for its own, if it was never used', async () => {
    expect(await said('')).toBe('');
  });

  it('gets a 408 if a request has begun', async () => {
    const answer = await said('GET /api/v1/workflows HTTP/1.1\r\nHost: weft\r\nX-Half');
    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"reason":"REQUEST_TOO_SLOW"');
  });
});

describe('the limit of concurrent connections', () => {
  const later = closeAfterEach();

  it('closes further connections without a response and with one log line, until one has ended', async () => {
    const log = keptLog('warn');
    const options = { host: '127.0.0.1', port: 0, maxConnections: 1 };
    const server = await startHttpServer(options, log.logger, (_request, response) => response.end('fine'));
    later(server, ({ stop }) => stop({ delayMs: 0, drainMs: 0, underWay: createUnderWay() }));
    const first: Socket = later(connect(server.port, '127.0.0.1'), (open) => open.destroy());
    await new Promise((resolve) => first.once('connect', resolve));
    const answer = () =>
      rawBytes(server.port, 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n').catch(() => '');
    await until('the first connection is known', async () => (await answer()) === '');
    for (let time = 0; time < 3; time += 1) expect(await answer()).toBe('');
    expect(log.lines.filter(({ msg }) => String(msg).startsWith('connection closed'))).toHaveLength(1);
    first.destroy();
    await until('there is room again', async () => (await answer()).startsWith('HTTP/1.1 200 '));
  });
});
