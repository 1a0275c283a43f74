import { ROUTES } from '../../src/handlers/routes';
import type { Route } from '../../src/handlers/api-handler';
import { KEYS } from '../peers/identity';
import { rawRequest } from '../support/raw-request';
import { startGateway, type Reply, type TestGateway } from '../support/start-gateway';

// Tests every endpoint with every kind of invalid input: always the error body, never a 5xx, and no change is requested
// from any service.

const named = (route: Route): string => `${route.method} ${route.path}`;
/** The position of a node run and the id of a row are numbers; only the first id is wrong. */
const pathOf = (route: Route, id = 'unknown'): string =>
  route.path
    .replace(':id', id)
    .replace('/node-runs/:executionIndex', '/node-runs/0')
    .replace('/rows/:rowId', '/rows/1');
const withBody = ROUTES.filter((route) => route.body !== 'none');
const withId = ROUTES.filter((route) => route.path.includes(':id'));
const WRITES = new RegExp(
  '^(create|update|upsert|delete|(de)?activate|start|re(place|name|try|deliver|set|ply)|insert|cancel|change|put|' +
    'remove|transfer|(un)?lock|signOut)',
);

/** Valid bodies, so that only the change under test is invalid. */
const goodBody = (route: Route): unknown => {
  if (route.path.endsWith('/replies/:run')) return { text: 'x' };
  if (route.body === 'none') return undefined;
  if (route.path === '/workflows/check') return { workflows: [] };
  if (route.path === '/credentials/:id/test') return {};
  if (route.path.endsWith('/transfer')) return { destinationProjectId: 'p1' };
  if (route.path === '/projects/:id/members') return { userId: 'u1', role: 'viewer' };
  if (route.path === '/projects/:id/members/:userId') return { role: 'viewer' };
  if (route.path.startsWith('/projects')) return { name: 'n' };
  if (route.path.startsWith('/credentials')) return { name: 'n', type: 'httpHeaderAuth', data: {} };
  if (route.path.endsWith('/backfill')) return { from: '2026-03-10T00:00:00Z', to: '2026-03-10T09:00:00Z' };
  if (route.path === '/executions/retry') return { filter: {} };
  if (route.path.endsWith('/retry')) return { from: 'start' };
  if (route.path.startsWith('/event-subscriptions')) return { name: 'n', url: 'https://receiver.example/' };
  if (route.path.startsWith('/variables')) return { key: 'k', value: 'v' };
  if (route.path === '/users/:id') return { role: 'viewer' };
  if (route.path === '/invitations') return { email: 'a@b.test', role: 'viewer' };
  if (route.path === '/users') return { email: 'a@b.test', password: 'p', role: 'viewer' };
  if (route.path.endsWith('/rows')) return { rows: [{}] };
  if (route.path.endsWith('/rows/query')) return {};
  if (route.path.endsWith('/rows/:rowId')) return { values: {} };
  if (route.path.endsWith('/listening')) return { node: 'Hook' };
  if (route.path.endsWith('/options')) return { list: 'channels' };
  if (route.path.endsWith('/approvals/:run')) return { decision: 'approve' };
  if (route.path.includes('/rows/')) {
    const filter = { conditions: [{ column: 'id', condition: 'eq', value: 1 }] };
    return route.path.endsWith('/delete') ? { filter } : { filter, values: {} };
  }
  if (route.path.startsWith('/data-tables')) return { name: 'n', columns: [] };
  return route.body === 'optional' ? { data: {} } : { name: 'n', nodes: [], connections: {} };
};

const expectRefusal = (reply: Reply, status: number, code: string): void => {
  expect([reply.status, reply.json.error?.code]).toEqual([status, code]);
  expect(Object.keys(reply.json)).toEqual(['error']);
  expect(reply.json.error?.message).toEqual(expect.stringMatching(/\w/));
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
};

describe('bad input', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ TRUST_PROXY: '1' });
    gateway.identity.window.limit = 1_000_000;
  });
  afterAll(() => gateway.stop());

  const writes = (): number =>
    [
      gateway.workflows,
      gateway.listening,
      gateway.variables,
      gateway.dataTables,
      gateway.deliveries,
      gateway.schedules,
      gateway.executions,
      gateway.retries,
      gateway.credentials,
      gateway.identity,
    ]
      .flatMap(({ seen }) => seen)
      .filter(({ method }) => WRITES.test(method)).length;
  const refusedBefore = async (
    route: Route,
    status: number,
    code: string,
    params: Parameters<TestGateway['api']>[2],
    query = '',
  ): Promise<Reply> => {
    const before = writes();
    const reply = await gateway.api(route.method, `${pathOf(route)}${query}`, params);
    expectRefusal(reply, status, code);
    expect(writes()).toBe(before);
    return reply;
  };

  describe.each(ROUTES.map((route, index) => [named(route), route, index] as const))('%s', (_name, route, index) => {
    it('is 401 without a key, with a wrong, an empty and an overlong one, and with a broken Basic header', async () => {
      // Wrong keys are limited by address.
      const headers = { 'x-forwarded-for': `203.${index}.0.1` };
      for (const key of [null, 'weft_wrong', '', 'x'.repeat(2_000)]) {
        const reply = await refusedBefore(route, 401, 'UNAUTHORIZED', { key, headers, body: goodBody(route) });
        expect(reply.headers.get('x-ratelimit-limit')).toBeNull();
      }
      await refusedBefore(route, 401, 'UNAUTHORIZED', {
        key: null,
        headers: { ...headers, authorization: 'Basic %%%' },
        body: goodBody(route),
      });
    });

    it('is 400 for an unknown query parameter, and names the known ones', async () => {
      const reply = await refusedBefore(route, 400, 'INVALID_REQUEST', { body: goodBody(route) }, '?nonsense=1');
      expect(reply.json.error?.details).toEqual({
        fields: [{ field: 'nonsense', message: expect.stringContaining('is not a known query parameter') }],
      });
      for (const { name } of route.query) expect(reply.json.error?.message).toContain(name);
    });

    it('is 413 for a body announced as larger than 10 MB, before any of it is sent', async () => {
      const headers = { 'x-svc-api-key': KEYS.owner, 'content-type': 'application/json', 'content-length': '11000000' };
      const { status, text } = await rawRequest(gateway.port, route.method, `/api/v1${pathOf(route)}`, headers);
      expect([status, JSON.parse(text)]).toEqual([
        413,
        { error: { code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('10000000 bytes') } },
      ]);
    });
  });

  describe.each(withBody.map((route) => [named(route), route] as const))('%s', (_name, route) => {
    it.each([
      ['broken JSON', '{"name": '],
      ['no JSON at all', 'name=1'],
      ['10,000 levels of nesting', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
      ['a list', '[]'],
      ['null', 'null'],
      ['a number', '7'],
      ['a key __proto__', '{"name":"n","nodes":[],"connections":{},"type":"t","data":{"__proto__":{"a":1}}}'],
      ['Latin-1 in a string', Buffer.from('{"name":"\u00fc","nodes":[],"connections":{}}', 'latin1')],
      ['a number that would become null', '{"name":"n","nodes":[],"connections":{},"data":{"a":1e400}}'],
      ['text that is not UTF-8 where JSON breaks by it', Buffer.from([0x7b, 0xff, 0xfe])],
    ])('is 400 for %s', async (_what, body) => {
      await refusedBefore(route, 400, 'INVALID_REQUEST', { body });
    });

    it('is 400 for another content type, a charset that is not UTF-8, and a compressed body', async () => {
      const body = JSON.stringify(goodBody(route));
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
        'application/json; charset=latin1',
        '',
      ]) {
        await refusedBefore(route, 400, 'INVALID_REQUEST', { body, headers: { 'content-type': type } });
      }
      await refusedBefore(route, 400, 'INVALID_REQUEST', { body, headers: { 'content-encoding': 'gzip' } });
    });

    it('is 413 for a body that turns out to be larger than 10 MB, before its end', async () => {
      const before = writes();
      const headers = {
        'x-svc-api-key': KEYS.owner,
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      };
      const { status, text } = await rawRequest(
        gateway.port,
        route.method,
        `/api/v1${pathOf(route)}`,
        headers,
        `{"name":"${'x'.repeat(11_000_000)}`,
        false,
      );
      expect([status, JSON.parse(text)]).toMatchObject([413, { error: { code: 'PAYLOAD_TOO_LARGE' } }]);
      expect(writes()).toBe(before);
    });
  });

  describe.each(withBody.filter(({ body }) => body === 'required').map((route) => [named(route), route] as const))(
    '%s',
    (_name, route) => {
      it('is 400 without a body', async () => {
        await refusedBefore(route, 400, 'INVALID_REQUEST', {});
      });
    },
  );

  describe.each(withId.map((route) => [named(route), route] as const))('%s', (_name, route) => {
    if (route.path.endsWith('/execute')) return;
    it('is 404 for an id that does not exist, with the id in details', async () => {
      // The caller chooses the id of an app.
      if (named(route) === 'PUT /apps/:id') return;
      const reply = await gateway.api(route.method, pathOf(route, 'no-such-id'), { body: goodBody(route) });
      expectRefusal(reply, 404, 'INVALID_REQUEST');
      expect(Object.values(reply.json.error?.details ?? {})).toEqual(['no-such-id']);
    });

    it('is 400 for a path that cannot be decoded', async () => {
      expectRefusal(
        await gateway.api(route.method, pathOf(route, '%E0%A4%A'), { body: goodBody(route) }),
        400,
        'INVALID_REQUEST',
      );
    });
  });

  describe.each([
    [
      'POST',
      '/workflows',
      { name: 1, nodes: {}, connections: [], settings: 'x', active: 'yes' },
      ['name', 'nodes', 'connections', 'settings', 'active'],
    ],
    ['POST', '/workflows', {}, ['nodes']],
    [
      'POST',
      '/workflows',
      { name: 'n', nodes: [null, { name: 1, type: [], position: [1], parameters: [], id: 2 }, {}] },
      [
        'nodes[0]',
        'nodes[1].position',
        'nodes[1].parameters',
        'nodes[1].id',
        'nodes[1].name',
        'nodes[1].type',
        'nodes[2].name',
        'nodes[2].type',
      ],
    ],
    ['PUT', '/workflows/x', { name: 'n', nodes: [] }, ['connections']],
    [
      'POST',
      '/workflows/x/execute',
      { data: [], startNode: 1, usePinData: 'no', wait: 1, more: 1 },
      ['more', 'data', 'startNode', 'usePinData', 'wait'],
    ],
    [
      'POST',
      '/executions/retry',
      { from: 'middle', dryRun: 1, filter: { status: 'running', from: 'yesterday', to: 7, more: 1 } },
      ['filter.more', 'filter.status', 'filter.from', 'filter.to', 'from', 'dryRun'],
    ],
    ['POST', '/executions/retry', {}, ['filter']],
    [
      'POST',
      '/workflows/x/backfill',
      { from: 'yesterday', node: 1, concurrency: 0, dryRun: 'yes', more: 1 },
      ['more', 'to', 'from', 'node', 'concurrency', 'dryRun'],
    ],
    [
      'POST',
      '/executions/x/retry',
      { from: 'middle', version: 1, loadWorkflow: true },
      ['loadWorkflow', 'from', 'version'],
    ],
    ['POST', '/credentials', { name: 1, type: null, data: 'x', nodes: 1 }, ['nodes', 'data', 'name', 'type']],
    ['POST', '/credentials', {}, ['name', 'type', 'data']],
    ['PUT', '/credentials/x', { data: [] }, ['data']],
    ['POST', '/variables', { key: 1, more: 1 }, ['more', 'key', 'value']],
    ['POST', '/data-tables', { name: 1, columns: [7] }, ['columns[0]', 'name']],
    ['POST', '/data-tables/x/rows', { rows: [null] }, ['rows[0]']],
    ['POST', '/data-tables/x/rows/update', { filter: 1 }, ['filter', 'values']],
  ])('%s %s with wrong fields', (method, path, body, fields) => {
    it(`is 400 and names ${fields.join(', ')}`, async () => {
      const reply = await gateway.api(method, path, { body });
      expectRefusal(reply, 400, 'INVALID_REQUEST');
      expect(reply.json.error?.details?.['fields']).toHaveLength(fields.length);
      expect(reply.json.error?.details?.['fields']).toEqual(
        expect.arrayContaining(fields.map((field) => expect.objectContaining({ field }))),
      );
    });
  });

  it.each([
    '/executions?limit=0',
    '/executions?limit=101',
    '/executions?limit=1.5',
    '/executions?limit=-1',
    '/executions?limit=x',
    '/executions?limit=',
    '/executions?limit=5&limit=6',
    '/executions?status=crashed',
    '/executions?status=',
    '/executions?workflowId=',
    '/executions?includeData=1',
    '/executions?cursor=nonsense',
    `/executions?cursor=${'x'.repeat(600)}`,
    '/workflows?limit=0',
    '/workflows?limit=101',
    '/credentials?limit=abc',
    '/credentials?cursor=nonsense',
    '/executions?status[]=error',
    '/executions?__proto__=1',
    '/deliveries?limit=0',
    '/deliveries?state=open',
    '/deliveries?workflowId=',
    '/workflows/x/schedule?count=0',
    '/workflows/x/schedule?count=x',
  ])('GET %s is 400', async (path) => {
    expectRefusal(await gateway.api('GET', path), 400, 'INVALID_REQUEST');
  });

  it.each([
    ['GET', '/'],
    ['GET', '/nothing'],
    ['PATCH', '/workflows'],
    ['DELETE', '/workflows'],
    ['POST', '/executions'],
    ['PUT', '/executions/x'],
    ['GET', '/workflows/x/execute'],
    ['OPTIONS', '/workflows'],
  ])('%s %s is 404 with the error body: the specification has no 405', async (method, path) => {
    expectRefusal(await gateway.api(method, path), 404, 'INVALID_REQUEST');
  });

  it.each(['/webhook', '/favicon.ico', '/api', '/api/v2/workflows', '/setting', '//api/v1/workflows'])(
    '%s is not found, with or without a key',
    async (path) => {
      expectRefusal(await gateway.ask('GET', path), 404, 'INVALID_REQUEST');
    },
  );

  it('reports the methods that a path supports', async () => {
    expect((await gateway.api('PATCH', '/workflows/x')).headers.get('allow')).toBe('GET, PUT, DELETE');
  });

  it('is 400 for an invalid Idempotency-Key or If-Match', async () => {
    const { data } = (await gateway.api('POST', '/workflows', { body: { name: 'n', nodes: [], connections: {} } }))
      .json;
    expect(data).toMatchObject({ name: 'n' });
    for (const key of ['x'.repeat(256), 'naïve'])
      expectRefusal(
        await gateway.api('POST', '/workflows/w1/execute', { headers: { 'idempotency-key': key } }),
        400,
        'INVALID_REQUEST',
      );
    expectRefusal(
      await gateway.api('PUT', '/workflows/w1', {
        headers: { 'if-match': 'v1' },
        body: { name: 'n', nodes: [], connections: {} },
      }),
      400,
      'INVALID_REQUEST',
    );
  });
});
