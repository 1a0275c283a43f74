import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { requestTo, restRoutes } from '../../support/rest-routes';
import { makeUser } from '../../support/users';

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
