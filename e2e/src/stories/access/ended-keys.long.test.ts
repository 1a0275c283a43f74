import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { setTimeout as sleep } from 'node:timers/promises';
import { restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';

/** Clients at each gateway, each with one request at a time. */
const CLIENTS = 6;
const ROUNDS = 4;
/** Responses of each gateway before and after the end of a key. */
const ANSWERS = 20;
/** Time between the expiries of two keys, and from the first requests with a key to its expiry, in milliseconds. */
const [BETWEEN_MS, LEAD_MS] = [1_500, 500];

interface Asked {
  readonly gateway: number;
  /** By the clock of the test, before the request was sent. */
  readonly sentAt: number;
  readonly status: number;
}

const startClients = (baseUrls: readonly string[], key: string) => {
  const asked: Asked[] = [];
  let isOver = false;
  const ask = async (baseUrl: string, gateway: number): Promise<void> => {
    const client = restClient(baseUrl, key);
    while (!isOver) {
      const sentAt = Date.now();
      const { status } = await client('GET', '/workflows?limit=1');
      asked.push({ gateway, sentAt, status });
    }
  };
  const clients = baseUrls.flatMap((baseUrl, gateway) => Array.from({ length: CLIENTS }, () => ask(baseUrl, gateway)));
  return {
    /** Waits until each gateway has sent that many responses with a status since a time. */
    untilAnswered: (status: number, since = 0) =>
      until(`answers ${status}`, async () =>
        baseUrls.every(
          (_, gateway) =>
            asked.filter((one) => one.gateway === gateway && one.status === status && one.sentAt > since).length >=
            ANSWERS,
        ),
      ),
    stop: async (): Promise<readonly Asked[]> => {
      isOver = true;
      await Promise.all(clients);
      return asked;
    },
  };
};

describe('an API key that two gateways are asked with, as fast as its clients can', () => {
  let stack: Stack;
  let owner: Rest;
  beforeAll(async () => {
    stack = await borrowStack({ replicas: 2 });
    owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(() => giveStackBack(stack));

  it('is refused to every request that starts after its deletion was answered', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const made = await owner('POST', '/keys', { name: 'short-lived' });
      const clients = startClients(stack.baseUrls, textOf(made, 'value'));
      await clients.untilAnswered(200);
      expect((await owner('DELETE', `/keys/${textOf(made, 'id')}`)).status).toBe(200);
      const deletedAt = Date.now();
      await clients.untilAnswered(401, deletedAt);
      const later = (await clients.stop()).filter(({ sentAt }) => sentAt > deletedAt);
      expect(later.filter(({ status }) => status !== 401)).toEqual([]);
    }
  });

  it('is refused to every request that starts after its expiry', async () => {
    const expiries = Array.from({ length: ROUNDS }, (_, round) => Date.now() + 6_000 + round * BETWEEN_MS);
    const keys = await Promise.all(
      expiries.map(async (expiresAt) => {
        const made = await owner('POST', '/keys', { name: 'expiring', expiresAt: new Date(expiresAt).toISOString() });
        return { expiresAt, value: textOf(made, 'value') };
      }),
    );
    for (const { value } of keys) {
      const clients = startClients(stack.baseUrls, value);
      await clients.untilAnswered(200);
      await clients.stop();
    }
    for (const { expiresAt, value } of keys) {
      await sleep(Math.max(0, expiresAt - LEAD_MS - Date.now()));
      const clients = startClients(stack.baseUrls, value);
      await clients.untilAnswered(401, expiresAt);
      const later = (await clients.stop()).filter(({ sentAt }) => sentAt > expiresAt);
      expect(later.filter(({ status }) => status !== 401)).toEqual([]);
    }
  });
});
