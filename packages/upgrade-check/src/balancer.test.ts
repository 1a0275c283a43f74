import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startBalancer, type Balancer } from './balancer';

/** A gateway that names itself. */
const startGateway = async (
  name: string,
): Promise<{ readonly server: Server; readonly port: number; isReady: boolean }> => {
  const gateway = { isReady: true };
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/readyz' && !gateway.isReady ? 503 : 200;
    response.end(name);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(gateway, { server, port: (server.address() as AddressInfo).port });
};

/** The answer on a new connection; undefined if it was cut. */
const answerOf = (url: string): Promise<string | undefined> =>
  new Promise((resolve) =>
    get(url, { agent: false }, (response) => {
      response.setEncoding('utf8').on('data', (text: string) => resolve(text));
    }).on('error', () => resolve(undefined)),
  );

describe('one address of several gateways', () => {
  let balancer: Balancer;
  let gateways: readonly Awaited<ReturnType<typeof startGateway>>[];

  beforeEach(async () => {
    balancer = await startBalancer();
    gateways = [await startGateway('one'), await startGateway('two')];
    balancer.setTargets(gateways.map(({ port }) => port));
  });
  afterEach(async () => {
    await balancer.stop();
    for (const { server } of gateways) {
      server.closeAllConnections();
      server.close();
    }
  });

  it('divides connections among all of them', async () => {
    const answers = [await answerOf(balancer.url), await answerOf(balancer.url)];
    expect(answers.sort()).toEqual(['one', 'two']);
  });

  it('opens no connection to a gateway that is not ready any more', async () => {
    const [one] = gateways;
    if (one === undefined) throw new Error('There is no gateway.');
    one.isReady = false;
    const lastTwo: (string | undefined)[] = [];
    while (lastTwo.slice(-4).filter((name) => name === 'two').length < 4) lastTwo.push(await answerOf(balancer.url));
    expect(await answerOf(balancer.url)).toBe('two');
  });

  it('cuts a connection to a gateway that has ended', async () => {
    for (const { server } of gateways) server.close();
    expect(await answerOf(balancer.url)).toBeUndefined();
  });
});
