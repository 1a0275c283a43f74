import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { startCrowd, type Crowd } from './crowd';

const REQUESTS = 30;

describe('a crowd of clients', () => {
  const sockets = new Set<Socket>();
  const warnings: Error[] = [];
  const warn = (warning: Error): void => void warnings.push(warning);
  let server: Server;
  let crowd: Crowd;

  beforeAll(async () => {
    process.on('warning', warn);
    server = createServer((request, response) => {
      if (request.url === '/work') sockets.add(request.socket);
      request.resume().on('end', () => response.end('done'));
    });
    await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
    const { port } = server.address() as AddressInfo;
    crowd = startCrowd([`http://127.0.0.1:${port}`]);
  });

  afterAll(async () => {
    process.off('warning', warn);
    await crowd.stop();
    await new Promise((resolve) => server.close(resolve));
  });

  test('leaves no listener of a request on the connection that it keeps', async () => {
    for (let index = 0; index < REQUESTS; index += 1)
      expect(await crowd.send({ path: '/work', body: '', headers: {} })).toMatchObject({ kind: 'answer', status: 200 });
    expect(sockets.size).toBe(1);
    // warnings of the process are emitted in a later tick
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings).toEqual([]);
  });
});
