import { startStack, type Stack } from '@weft/local-stack';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchChromium } from '../../support/browser/chromium';
import {
  followWithEventSource,
  type DeliveredEvent,
  type EventSourceClient,
} from '../../support/stand-ins/event-source';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { killAndRestart } from '../../support/processes/kill';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { chain, node } from '../../support/workflows';

type Facts = Readonly<Record<string, unknown>>;

const SECRET = 'canary-7f3a91';

/** Two replicas of everything: a reader is rarely at the replica at which its run is written. */
describe('followers of runs while parts of the system fail', () => {
  let stack: Stack;
  let clients: Rest[];
  let rest: Rest;
  let target: Server;
  let targetUrl = '';
  /** Answers the requests that are open at the target, by their path. */
  const open = new Map<string, () => void>();
  let longRun = '';
  let longClient: EventSourceClient;
  let longBegan = 0;

  const urlOf = (id: string, gateway = 0): string => `${stack.baseUrls[gateway] ?? ''}/api/v1/executions/${id}/events`;
  const follow = (id: string, gateway = 0, key = stack.apiKey): EventSourceClient =>
    followWithEventSource(urlOf(id, gateway), key);
  const execute = async (nodes: Parameters<typeof chain>[1], settings: object = {}): Promise<string> => {
    const id = textOf(await rest('POST', '/workflows', chain('followed', nodes, settings)), 'id');
    return textOf(await rest('POST', `/workflows/${id}/execute`, {}), 'executionId');
  };
  /** A run of three calls, each of which ends when `answer` is called with its path. */
  const calls = (name: string) => [
    node('Start', 'manualTrigger', 1, 0),
    ...[1, 2, 3].map((index) =>
      node(`Call ${index}`, 'httpRequest', 4.2, index * 200, { url: `${targetUrl}${name}-${index}`, options: {} }),
    ),
  ];
  const answer = async (path: string): Promise<void> => {
    await until(`the request ${path}`, async () => open.has(path), 60_000);
    open.get(path)?.();
    open.delete(path);
  };
  const numbersOf = (events: readonly DeliveredEvent[]): number[] =>
    events.filter(({ type }) => type.includes('.')).map(({ id }) => Number(id));
  const has = (client: EventSourceClient, sequence: number, limitMs = 60_000) =>
    until(`event ${sequence}`, async () => numbersOf(client.events).includes(sequence), limitMs);
  /** Answers every request with this path: a run whose lease was lost sends it again. */
  const answerUntil = (path: string, client: EventSourceClient, sequence: number) =>
    until(
      `event ${sequence}`,
      async () => {
        open.get(path)?.();
        open.delete(path);
        return numbersOf(client.events).includes(sequence);
      },
      120_000,
    );
  const runningOf = ({ events }: EventSourceClient): string =>
    JSON.stringify(events.filter(({ type }) => type === 'progress').at(-1)?.data['running'] ?? {});
  const pageOf = async (id: string, client = rest): Promise<readonly Facts[]> =>
    listOf(await client('GET', `/executions/${id}/events`));
  const kill = async (service: 'executions' | 'runner'): Promise<void> => {
    const victim = stack.of(service)[0];
    if (victim !== undefined) await killAndRestart(victim);
  };

  beforeAll(async () => {
    target = createServer(({ url = '' }, response) => {
      open.set(url.slice(1), () => response.setHeader('content-type', 'application/json').end('{"n":1}'));
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    stack = await startStack({
      ownServers: true,
      replicas: { gateway: 2, executions: 2, runner: 2 },
      env: {
        executions: { LEASE_MS: '3000', SWEEP_MS: '300' },
        credentials: { RATE_LIMIT_PER_MINUTE: '0' },
        runner: { WAIT_IN_PROCESS_MS: '600000', OUTBOUND_ALLOW: '127.0.0.1' },
      },
    });
    clients = stack.baseUrls.map((base) => restClient(base, stack.apiKey));
    rest = clients[0] ?? restClient('', '');
    longBegan = performance.now();
    longRun = await execute([
      node('Start', 'manualTrigger', 1, 0),
      node('Wait', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 270, unit: 'seconds' }),
      node('End', 'noOp', 1, 400),
    ]);
    longClient = follow(longRun, 1);
  });
  afterAll(async () => {
    longClient?.stop();
    await stack?.stop();
    target.closeAllConnections();
    target.close();
  });

  it('see the running node soon, and every event at both gateways', async () => {
    const id = await execute(calls('plain'));
    const followers = [0, 1].map((gateway) => follow(id, gateway));
    for (const index of [1, 2, 3]) {
      const shown = followers.map((one) =>
        until('the running node', async () => runningOf(one).includes(`Call ${index}`), 10_000),
      );
      await Promise.all(shown);
      await answer(`plain-${index}`);
    }
    await Promise.all(followers.map(({ ended }) => ended));
    for (const { events } of followers) expect(numbersOf(events)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const client of clients)
      expect((await pageOf(id, client)).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('are told within seconds while NATS is down', async () => {
    const id = await execute(calls('nats'));
    await until('the request', async () => open.has('nats-1'));
    await stack.killNatsAndItsStore();
    const follower = follow(id, 1);
    await has(follower, 1);
    await answer('nats-1');
    await has(follower, 3, 12_000);
    await stack.startNatsAgain();
    await answer('nats-2');
    await answer('nats-3');
    await follower.ended;
    expect(numbersOf(follower.events)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('miss nothing when replicas of executions and the store are killed', async () => {
    const id = await execute(calls('store'));
    const follower = follow(id);
    await answer('store-1');
    await has(follower, 3);
    await kill('executions');
    await answerUntil('store-2', follower, 4);
    await stack.killMongodb();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await stack.startMongodbAgain();
    await answerUntil('store-3', follower, 6);
    await follower.ended;
    expect(numbersOf(follower.events)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('see numbers continue after a restart that dropped node runs', async () => {
    const id = await execute(calls('restart'), { crashPolicy: 'restart' });
    const follower = follow(id, 1);
    await answer('restart-1');
    await has(follower, 3);
    await until('the second request', async () => open.has('restart-2'));
    open.clear();
    for (const runner of stack.of('runner')) await killAndRestart(runner);
    for (const index of [1, 2, 3]) await answer(`restart-${index}`);
    await follower.ended;
    const numbers = numbersOf(follower.events);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    const page = await pageOf(id);
    const lost = Number(page[1]?.['sequence']) - 2;
    expect(lost).toBeGreaterThan(0);
    expect(page.at(-1)).toMatchObject({ sequence: 2 + lost + 4, type: 'execution.ended' });
  });

  it('in a browser follow with EventSource until the run has ended', async () => {
    const id = await execute(calls('browser'));
    const browser = await launchChromium();
    try {
      const context = await browser.newContext({
        bypassCSP: true,
        extraHTTPHeaders: { 'x-svc-api-key': stack.apiKey },
      });
      const page = await context.newPage();
      await page.goto(`${stack.baseUrls[0] ?? ''}/docs/`);
      const followed = page.evaluate(
        // A string: the page has other types than this program.
        `new Promise((resolve) => {
          const seen = [];
          const source = new EventSource('/api/v1/executions/${id}/events');
          for (const type of ['execution.accepted', 'node.finished', 'execution.ended', 'end'])
            source.addEventListener(type, ({ lastEventId }) => seen.push(lastEventId + ' ' + type));
          source.addEventListener('error', () => {
            if (source.readyState === EventSource.CLOSED) resolve(seen);
          });
        })`,
      );
      for (const index of [1, 2, 3]) await answer(`browser-${index}`);
      expect(await followed).toEqual([
        '1 execution.accepted',
        '2 node.finished',
        '3 node.finished',
        '4 node.finished',
        '5 node.finished',
        '6 execution.ended',
        '6 end',
      ]);
    } finally {
      await browser.close();
    }
  });

  it('are disconnected within a minute after their key is deleted', async () => {
    const key = await makeUser(stack, 'follower', 'viewer');
    const id = await execute(calls('key'));
    const follower = follow(id, 0, key);
    await has(follower, 1);
    const viewer = restClient(stack.baseUrls[0] ?? '', key);
    const [own] = listOf(await viewer('GET', '/keys'));
    expect((await viewer('DELETE', `/keys/${String(own?.['id'])}`)).status).toBe(200);
    const deleted = performance.now();
    await follower.ended;
    expect(performance.now() - deleted).toBeLessThan(60_000);
    expect(JSON.stringify(follower.events.at(-1)?.data)).toContain('UNAUTHORIZED');
    expect((await rest('POST', `/executions/${id}/cancel`)).status).toBe(200);
  });

  it('never see a secret that a node used, in events or in progress', async () => {
    const credential = await rest('POST', '/credentials', {
      name: 'canary',
      type: 'httpHeaderAuth',
      data: { name: 'x-key', value: SECRET },
    });
    const id = await execute([
      node('Start', 'manualTrigger', 1, 0),
      node(
        'Call',
        'httpRequest',
        4.2,
        200,
        {
          url: 'http://127.0.0.1:1/never',
          authentication: 'genericCredentialType',
          genericAuthType: 'httpHeaderAuth',
          sendQuery: true,
          queryParameters: { parameters: [{ name: 'echo', value: SECRET }] },
          options: {},
        },
        { credentials: { httpHeaderAuth: { id: textOf(credential, 'id'), name: 'canary' } } },
      ),
    ]);
    const follower = follow(id);
    await follower.ended;
    const seen = JSON.stringify([follower.events, await pageOf(id)]);
    expect(seen).toContain('node.finished');
    expect(seen).not.toContain(SECRET);
  });

  it('follow a run of nearly five minutes over one address, without a gap', async () => {
    await longClient.ended;
    expect(performance.now() - longBegan).toBeGreaterThan(265_000);
    expect(numbersOf(longClient.events)).toEqual([1, 2, 3, 4, 5]);
    expect(dataOf(await rest('GET', `/executions/${longRun}`))['status']).toBe('success');
  });
});
