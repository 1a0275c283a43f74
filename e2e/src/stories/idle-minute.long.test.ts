import { setTimeout as sleep } from 'node:timers/promises';
import { startProxy, startStack, SERVICES, type Proxy, type ServiceName, type Stack } from '@weft/local-stack';
import { callWebhook, restClient, textOf } from '../support/rest';
import { connect, node } from '../support/workflows';

const MINUTE_MS = 60_000;
/** Longer than the services take to find that nothing happens. */
const UNTIL_IDLE_MS = 40_000;

/**
 * Most messages that a service may send to the store in a minute: one round of all its polls, its heartbeats, and the
 * look of its driver at the server every two seconds.
 */
const MAX_TO_STORE: Readonly<Partial<Record<ServiceName, number>>> = { executions: 90, workflows: 70, credentials: 50 };
/** To the broker: pulls of the runner, and one round of the look at the streams. */
const MAX_TO_BROKER: Readonly<Partial<Record<ServiceName, number>>> = { executions: 60, runner: 100 };
/** Pieces that a service may send to any other one, such as pings of connections. */
const MAX_TO_SERVICES = 30;

describe('a stack without work', () => {
  const proxies: Proxy[] = [];
  const sent = new Map<string, number>();
  const countOf = (from: ServiceName, to: string): number => sent.get(`${from} ${to}`) ?? 0;
  let stack: Stack;

  beforeAll(async () => {
    stack = await startStack({
      env: { credentials: { RATE_LIMIT_PER_MINUTE: '0' } },
      reach: async ({ from, to }) => {
        const proxy = await startProxy(to.port);
        const key = `${from.service} ${to.name === 'mongodb' || to.name === 'nats' ? to.name : 'services'}`;
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
    await stack.stop();
    for (const proxy of proxies) proxy.close();
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
    const found = SERVICES.map((name) => ({
      name,
      store: countOf(name, 'mongodb'),
      broker: countOf(name, 'nats'),
      services: countOf(name, 'services'),
    }));
    for (const { name, store, broker, services } of found) {
      expect({ name, store, isWithin: store <= (MAX_TO_STORE[name] ?? 0) }).toMatchObject({ isWithin: true });
      expect({ name, broker, isWithin: broker <= (MAX_TO_BROKER[name] ?? 0) }).toMatchObject({ isWithin: true });
      expect({ name, services, isWithin: services <= MAX_TO_SERVICES }).toMatchObject({ isWithin: true });
    }
    expect((await callWebhook(base, 'idle', {})).status).toBe(200);
  });
});
