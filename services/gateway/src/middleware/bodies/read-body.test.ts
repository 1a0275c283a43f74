import { once } from 'node:events';
import { createServer, request as httpRequest, type ClientRequest, type Server } from 'node:http';
import { BodyMemoryFull } from '../../errors';
import { createBodyReaders } from './read-body';

const MB = 1_000_000;

describe('the body of a request', () => {
  let server: Server;
  let finish = (): void => undefined;
  let isUsed: Promise<void>;
  let reads: Promise<number>[] = [];
  let closed: Promise<unknown>[] = [];

  beforeEach(async () => {
    const { ingress } = createBodyReaders(10 * MB, { trustProxy: 0 });
    const isFinished = new Promise<void>((resolve) => (finish = resolve));
    let use = (): void => undefined;
    isUsed = new Promise((resolve) => (use = resolve));
    reads = [];
    closed = [];
    server = createServer((request, response) => {
      closed.push(once(response, 'close'));
      const read = ingress(request, response, async ({ length }) => {
        use();
        await isFinished;
        return length;
      });
      reads.push(read);
      read.then(
        (length) => response.end(`${length}`),
        () => response.end('refused'),
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const send = (): ClientRequest => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', agent: false });
    sent.on('error', () => undefined).end(Buffer.alloc(6 * MB));
    return sent;
  };
  const answered = async (): Promise<void> => {
    const [response] = await once(send(), 'response');
    response.resume();
    await once(response, 'end');
  };

  it('counts as held until it has been processed, even if its sender has left', async () => {
    const first = send();
    await isUsed;
    first.destroy();
    await closed[0];
    await answered();
    await expect(reads[1]).rejects.toThrow(BodyMemoryFull);
    finish();
    expect(await reads[0]).toBe(6 * MB);
    await answered();
    expect(await reads[2]).toBe(6 * MB);
  });
});
