import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { requestTo, restRoutes } from '../../support/rest-routes';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';

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

/** The scope that a reading key needs for each path; no scope lets a key read a path that is missing here. */
const READ_SCOPES: readonly (readonly [path: RegExp, scope: string])[] = [
  [/^\/(workflows|backfills|schedules|variables|data-tables|deliveries|node-types|apps)\b/, 'workflows:read'],
  [/^\/(executions|retry-jobs|event-subscriptions)\b/, 'executions:read'],
  [/^\/credentials\b/, 'credentials:read'],
  [/^\/credential-types\b/, 'workflows:read'],
  [/^\/projects(\/:id(\/granted-credentials)?)?$/, 'workflows:read'],
  [/^\/audit\b/, 'audit:read'],
];

const FOR_ANY_KEY = ['/me', '/version'];

describe('an API key that is limited to reading', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await borrowStack();
  });
  afterAll(() => giveStackBack(stack));

  const keyOf = async (as: Rest, scopes: readonly string[]): Promise<Rest> =>
    restClient(stack.baseUrls[0] ?? '', textOf(await as('POST', '/keys', { name: 'limited', scopes }), 'value'));

  it('reads what its scopes name, of every route, and changes nothing', async () => {
    const owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const scopes = ['workflows:read', 'executions:read'];
    const reader = await keyOf(owner, scopes);
    const wrong: unknown[] = [];
    for (const route of restRoutes()) {
      const [, path = ''] = route.split(' ');
      const [method, address] = requestTo(route, { id: 'x', ref: '1', workflowId: 'x' });
      const { status } = await reader(method, address, method === 'GET' ? undefined : {});
      const scope = READ_SCOPES.find(([pattern]) => pattern.test(path))?.[1] ?? '';
      // Conversations are for those who may change their workflow.
      const isConversation = path.includes('/conversations');
      const isReading = (method === 'GET' && !isConversation) || path.endsWith('/rows/query');
      const isAllowed = isReading && (FOR_ANY_KEY.includes(path) || scopes.includes(scope));
      // A malformed body is refused before the service checks permissions.
      const expected = isAllowed ? [200, 404] : [403, 400];
      if (!expected.includes(status)) wrong.push({ route, status });
    }
    expect(wrong).toEqual([]);
  });

  it('has never more than the role of its user has now', async () => {
    const owner = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const editor = restClient(stack.baseUrls[0] ?? '', await makeUser(stack, 'scoped', 'editor'));
    const writer = await keyOf(editor, ['workflows:write']);
    const body = { name: 'w', nodes: [], connections: {} };
    expect((await writer('POST', '/workflows', body)).status).toBe(201);
    expect((await writer('GET', '/workflows')).status).toBe(200);
    expect((await writer('GET', '/executions')).status).toBe(403);
    const users = (await owner('GET', '/users')).json.data;
    const user = Array.isArray(users)
      ? users.find(({ email }: { email: unknown }) => email === 'scoped@users.invalid')
      : {};
    expect(dataOf(await owner('PUT', `/users/${String(user.id)}`, { role: 'viewer' }))['role']).toBe('viewer');
    expect((await writer('POST', '/workflows', body)).status).toBe(403);
  });
});
