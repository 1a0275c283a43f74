import { setTimeout as sleep } from 'node:timers/promises';
import { startProxy, startStack, SERVICES, type Proxy, type ServiceName, type Stack } from '@weft/local-stack';
import { callWebhook, restClient, textOf } from '../../support/rest';
import { connect, node } from '../../support/workflows';

const TARGETS = ['store', 'broker', 'services'] as const;
type Target = (typeof TARGETS)[number];

const MINUTE_MS = 60_000;
/** Longer than the services take to notice that they are idle, and than the closed projects are renewed. */
const UNTIL_IDLE_MS = 90_000;

/**
 * Pieces that services may send in a minute. To the store: one round of all polls, heartbeats, the sizes of the
 * collections, and the driver's check of the server every two seconds. To the broker: pulls of the runner, and one
 * check of the streams. To other services: the traffic that keeps connections open.
 */
const LIMITS: Readonly<Record<ServiceName, Readonly<Record<Target, number>>>> = {
  executions: { store: 150, broker: 60, services: 30 },
  workflows: { store: 120, broker: 0, services: 30 },
  credentials: { store: 90, broker: 0, services: 30 },
  runner: { store: 0, broker: 100, services: 30 },
  gateway: { store: 0, broker: 0, services: 60 },
};

describe('a stack without work', () => {
  const proxies: Proxy[] = [];
  const sent = new Map<string, number>();
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({
      env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' } },
      reach: async ({ from, to }) => {
        const proxy = await startProxy(to.port);
        const key = `${from.service} ${to.name === 'mongodb' ? 'store' : to.name === 'nats' ? 'broker' : 'services'}`;
        proxy.setTap((_, isAnswer) => {
          if (!isAnswer) sent.set(key, (sent.get(key) ?? 0) + 1);
          return false;
        });
        proxies.push(proxy);
        return proxy.port;
      },
    });
  });
  afterAll(async () => {
    for (const proxy of proxies) proxy.close();
    await stack.stop();
  });

  it('reads and calls next to nothing in a minute, and wakes at once for the next call', async () => {
    const [base = ''] = stack.baseUrls;
    const rest = restClient(base, stack.apiKey);
    const workflow = {
      name: 'idle',
      nodes: [
        node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'idle', responseMode: 'lastNode' }),
        node('Hourly', 'scheduleTrigger', 1.2, 100, { rule: { interval: [{ field: 'hours', hoursInterval: 12 }] } }),
        node('End', 'noOp', 1, 200, {}),
      ],
      connections: connect({ Hook: [['End']], Hourly: [['End']] }),
      settings: { executionOrder: 'v1' },
    };
    const id = textOf(await rest('POST', '/workflows', workflow), 'id');
    expect((await rest('POST', `/workflows/${id}/activate`)).status).toBe(200);
    expect((await callWebhook(base, 'idle', {})).status).toBe(200);

    await sleep(UNTIL_IDLE_MS);
    sent.clear();
    await sleep(MINUTE_MS);
    const found = SERVICES.flatMap((name) =>
      TARGETS.map((to) => ({ name, to, count: sent.get(`${name} ${to}`) ?? 0, limit: LIMITS[name][to] })),
    );
    expect(found.filter(({ count, limit }) => count > limit)).toEqual([]);
    expect((await callWebhook(base, 'idle', {})).status).toBe(200);
  });
});
