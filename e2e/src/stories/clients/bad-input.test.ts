import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { listOf, restClient, textOf, type Rest } from '../../support/rest';
import { smallWorkflow } from '../../support/workflows';

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly hasBody?: true;
  /** Bodies of wrong types. */
  readonly wrong?: readonly unknown[];
}

const workflow = smallWorkflow('bad-input');
const wrongWorkflows = [
  [],
  'text',
  7,
  null,
  {},
  { ...workflow, name: 7 },
  { ...workflow, name: 'x'.repeat(2_000) },
  { ...workflow, nodes: {} },
  { ...workflow, nodes: [7] },
  { ...workflow, nodes: [{ name: 'x' }] },
  { ...workflow, connections: [] },
  { ...workflow, connections: { Webhook: 7 } },
  { ...workflow, settings: 'x' },
  { ...workflow, active: 'yes' },
  { ...workflow, nodes: [...workflow.nodes, { ...workflow.nodes[0], type: 'n8n-nodes-base.noOp' }] },
  { ...workflow, nodes: [{ ...workflow.nodes[0], position: ['a', 'b'] }] },
  { ...workflow, nodes: [{ ...workflow.nodes[0], parameters: [] }] },
];
const wrongCredentials = [
  [],
  'text',
  {},
  { name: 7, type: 'httpHeaderAuth', data: { name: 'a', value: 'b' } },
  { name: 'x', type: 'not a type!', data: {} },
  { name: 'x', type: 'httpHeaderAuth', data: [] },
  { name: 'x', type: 'httpHeaderAuth', data: { name: 7 } },
];

const ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/workflows' },
  { method: 'GET', path: '/workflows/:id' },
  { method: 'POST', path: '/workflows', hasBody: true, wrong: wrongWorkflows },
  { method: 'PUT', path: '/workflows/:id', hasBody: true, wrong: wrongWorkflows },
  { method: 'DELETE', path: '/workflows/:id' },
  { method: 'POST', path: '/workflows/:id/activate' },
  { method: 'POST', path: '/workflows/:id/deactivate' },
  { method: 'GET', path: '/executions' },
  { method: 'GET', path: '/executions/:id' },
  { method: 'DELETE', path: '/executions/:id' },
  { method: 'POST', path: '/executions/:id/cancel' },
  {
    method: 'POST',
    path: '/executions/:id/retry',
    hasBody: true,
    wrong: [[], 'text', { from: 7 }, { from: 'middle' }, { version: 'old' }, { unknown: 1 }],
  },
  {
    method: 'POST',
    path: '/executions/retry',
    hasBody: true,
    wrong: [
      [],
      'text',
      {},
      { filter: 7 },
      { filter: {}, dryRun: 'yes' },
      { filter: { status: 'running' } },
      { filter: { from: 'yesterday' } },
      { filter: { more: 1 } },
    ],
  },
  { method: 'GET', path: '/workflows/:id/schedule' },
  {
    method: 'POST',
    path: '/workflows/:id/backfill',
    hasBody: true,
    wrong: [
      [],
      'text',
      {},
      { from: '2026-03-10T00:00:00Z' },
      { from: 'yesterday', to: 'today' },
      { from: '2026-03-10T00:00:00Z', to: '2026-03-09T00:00:00Z' },
      { from: '2026-03-10T00:00:00Z', to: '2026-03-10T09:00:00Z', concurrency: 0 },
      { from: '2026-03-10T00:00:00Z', to: '2026-03-10T09:00:00Z', more: 1 },
    ],
  },
  { method: 'GET', path: '/workflows/:id/backfills' },
  { method: 'GET', path: '/schedules' },
  { method: 'GET', path: '/backfills' },
  { method: 'POST', path: '/backfills/:id/cancel' },
  { method: 'GET', path: '/retry-jobs' },
  { method: 'GET', path: '/retry-jobs/:id' },
  { method: 'POST', path: '/retry-jobs/:id/cancel' },
  { method: 'GET', path: '/event-subscriptions' },
  {
    method: 'POST',
    path: '/event-subscriptions',
    hasBody: true,
    wrong: [
      [],
      'text',
      {},
      { name: 'n' },
      { name: '', url: 'https://receiver.invalid/' },
      { name: 'n', url: 'ftp://receiver.invalid/' },
      { name: 'n', url: 'https://receiver.invalid/', batch: 0 },
      { name: 'n', url: 'https://receiver.invalid/', statuses: ['running'] },
      { name: 'n', url: 'https://receiver.invalid/', workflowIds: ['none'] },
      { name: 'n', url: 'https://receiver.invalid/', more: 1 },
    ],
  },
  { method: 'GET', path: '/event-subscriptions/:id' },
  {
    method: 'PUT',
    path: '/event-subscriptions/:id',
    hasBody: true,
    wrong: [[], 'text', {}, { name: 'n', url: 7 }, { name: 'n', url: 'https://receiver.invalid/', more: 1 }],
  },
  { method: 'DELETE', path: '/event-subscriptions/:id' },
  { method: 'GET', path: '/event-subscriptions/:id/notifications' },
  { method: 'POST', path: '/event-subscriptions/:id/notifications/:executionId/resend' },
  { method: 'POST', path: '/event-subscriptions/:id/test' },
  { method: 'GET', path: '/deliveries' },
  { method: 'GET', path: '/deliveries/:id' },
  { method: 'POST', path: '/deliveries/:id/redeliver' },
  { method: 'DELETE', path: '/deliveries/:id' },
  {
    method: 'POST',
    path: '/workflows/:id/execute',
    hasBody: true,
    wrong: [[], 'text', { data: 7 }, { data: [] }, { unknown: 1 }],
  },
  { method: 'GET', path: '/credentials' },
  { method: 'GET', path: '/credentials/:id' },
  { method: 'POST', path: '/credentials', hasBody: true, wrong: wrongCredentials },
  {
    method: 'PUT',
    path: '/credentials/:id',
    hasBody: true,
    wrong: wrongCredentials.filter(
      (body) => Array.isArray(body) || typeof body !== 'object' || Object.keys(body).length > 0,
    ),
  },
  { method: 'DELETE', path: '/credentials/:id' },
];

const label = ({ method, path }: Endpoint): string => `${method} ${path}`;

describe('bad input', () => {
  let stack: Stack;
  let rest: Rest;
  let keyless: Rest;
  let known: Readonly<Record<string, string>>;

  /** Ids of what is stored, the newest first. */
  const idsOfAll = async (): Promise<readonly unknown[]> =>
    Promise.all(
      ['/workflows', '/executions', '/credentials', '/event-subscriptions'].map(async (path) =>
        listOf(await rest('GET', path)).map(({ id }) => id),
      ),
    );
  const pathOf = ({ path }: Endpoint, id?: string): string =>
    path.replace(':id', id ?? known[path.split('/')[1] ?? ''] ?? UNKNOWN);

  beforeAll(async () => {
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    keyless = restClient(stack.baseUrls[0] ?? '', undefined);
    known = {
      workflows: textOf(await rest('POST', '/workflows', workflow), 'id'),
      'event-subscriptions': textOf(
        await rest('POST', '/event-subscriptions', { name: 's', url: 'https://receiver.invalid/', paused: true }),
        'id',
      ),
      credentials: textOf(
        await rest('POST', '/credentials', {
          name: 'c',
          type: 'httpHeaderAuth',
          data: { name: 'x-a', value: 'secret' },
        }),
        'id',
      ),
    };
  });
  afterAll(() => giveStackBack(stack));

  /** One bad request: the spec's error body, no 5xx, nothing stored. */
  const expectRefusal = async (
    answer: Awaited<ReturnType<Rest>>,
    statuses: readonly number[],
    what: string,
  ): Promise<void> => {
    expect([
      what,
      statuses.includes(answer.status) ? 'as expected' : `${answer.status} ${answer.text.slice(0, 200)}`,
    ]).toEqual([what, 'as expected']);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    expect(answer.json.error).toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.stringMatching(/\w/),
    });
    expect(JSON.stringify(answer.json)).not.toMatch(/node_modules|at \w+ \(|Mongo/);
  };

  it.each(ENDPOINTS.map((endpoint) => [label(endpoint), endpoint] as const))(
    'is refused with the error body and stores nothing: %s',
    async (_, endpoint) => {
      const before = await idsOfAll();
      const { method, hasBody, wrong = [] } = endpoint;
      const body = hasBody === true ? {} : undefined;
      await expectRefusal(await keyless(method, pathOf(endpoint), body), [401], 'no key');
      await expectRefusal(
        await keyless(method, pathOf(endpoint), body, { 'x-svc-api-key': `${stack.apiKey}0` }),
        [401],
        'bad key',
      );
      await expectRefusal(await rest(method, `${pathOf(endpoint)}?surprise=1`, body), [400], 'unknown query field');
      if (endpoint.path.includes(':id')) {
        for (const id of [UNKNOWN, 'x', '%00', '..%2f..', 'a'.repeat(3_000)]) {
          const valid =
            endpoint.path.startsWith('/workflows/:id') && method === 'PUT'
              ? workflow
              : hasBody === true && endpoint.path.startsWith('/credentials')
                ? { name: 'n' }
                : body;
          const answer = await rest(method, pathOf(endpoint, id), valid);
          await expectRefusal(answer, [400, 404], `unknown id ${id.slice(0, 10)}`);
        }
      }
      if (endpoint.path.endsWith('s') && method === 'GET') {
        for (const query of [
          'cursor=x',
          'cursor=v1.e30',
          'limit=0',
          'limit=101',
          'limit=-1',
          'limit=ten',
          'limit=1.5',
          'limit=',
        ])
          await expectRefusal(await rest(method, `${pathOf(endpoint)}?${query}`), [400], query);
      }
      if (endpoint.path === '/executions' && method === 'GET') {
        for (const query of ['status=done', 'status=', 'includeData=perhaps', 'limit=5&limit=6', 'status[$ne]=error'])
          await expectRefusal(await rest(method, `/executions?${query}`), [400], query);
      }
      if (hasBody === true) {
        for (const [index, bad] of wrong.entries())
          await expectRefusal(
            await rest(method, pathOf(endpoint), bad),
            [400],
            `wrong types ${index} ${JSON.stringify(bad).slice(0, 60)}`,
          );
        for (const broken of ['{', '{"name":}', 'nul', '\u0000'])
          await expectRefusal(await rest(method, pathOf(endpoint), broken), [400], `broken JSON ${broken}`);
        await expectRefusal(
          await rest(method, pathOf(endpoint), `{"data":${'['.repeat(10_000)}${']'.repeat(10_000)}}`),
          [400],
          'depth 10,000',
        );
        await expectRefusal(
          await rest(method, pathOf(endpoint), '{"__proto__":{"admin":true},"name":"x"}'),
          [400],
          '__proto__',
        );
        await expectRefusal(
          await rest(method, pathOf(endpoint), 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }),
          [400],
          'wrong content type',
        );
        await expectRefusal(
          await rest(method, pathOf(endpoint), `{"name":"${'x'.repeat(11_000_000)}"}`),
          [413],
          '11 MB',
        );
      }
      expect(await idsOfAll()).toEqual(before);
    },
  );

  it('answers a path or method that does not exist with the same error body', async () => {
    await expectRefusal(await rest('GET', '/nothing'), [404], 'unknown path');
    await expectRefusal(await rest('PATCH', '/workflows'), [404, 405], 'unknown method');
  });

  it('leaves everything that was stored before unchanged', async () => {
    expect((await rest('GET', `/workflows/${known['workflows'] ?? ''}`)).json.data).toMatchObject({
      name: workflow.name,
      active: false,
    });
  });
});
