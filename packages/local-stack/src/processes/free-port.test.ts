import { createServer } from 'node:net';
import { createFreePorts } from './free-port';

const BLOCK_OF_THE_TEST = 117;

describe('free ports', () => {
  it('are given to one stack only, although no server listens on them yet', async () => {
    const [one, two] = [createFreePorts(BLOCK_OF_THE_TEST), createFreePorts(BLOCK_OF_THE_TEST)];
    const found = (await Promise.all([one(60), two(60), one(10)])).flat();
    expect(new Set(found).size).toBe(130);
  });

  it('are without those on which a server listens', async () => {
    const ports = createFreePorts(BLOCK_OF_THE_TEST);
    const [port = 0] = await ports(1);
    const server = createServer();
    await new Promise<void>((listening) => server.listen(port + 1, '127.0.0.1', listening));
    expect(await ports(1)).toEqual([port + 2]);
    server.close();
  });
});
