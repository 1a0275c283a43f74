import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest, type RestAnswer } from '../support/rest';
import { restRoutes } from '../support/rest-routes';
import { until } from '../support/until';
import { makeUser } from '../support/users';
import { connect, node, smallWorkflow, type WorkflowFile } from '../support/workflows';

/** Answers of a route for data of the owner. */
interface Row {
  /** Status for a viewer. */
  readonly viewer: number;
  /** Status for an editor who owns nothing. */
  readonly editor: number;
  readonly body?: unknown;
}

const READ = { viewer: 200, editor: 200 };
const CREATE = { viewer: 403, editor: 201 };
const REFUSED = { viewer: 403, editor: 403 };

const PERIOD = { from: '2026-03-10T00:00:00Z', to: '2026-03-10T01:00:00Z' };
const WORKFLOW = smallWorkflow('rights-new');
const CREDENTIAL = { name: 'c', type: 'httpHeaderAuth', data: { name: 'x-a', value: 'secret' } };
const VARIABLE = { key: 'rights', value: 'v' };
const USER = { email: 'rights@users.invalid', password: 'a password of enough letters', role: 'viewer' };
const PROJECT = { name: 'rights' };
const NOWHERE = { destinationProjectId: '01890000-0000-7000-8000-000000000000' };
const TABLE = { name: 'rights', columns: [{ name: 'a', type: 'string' }] };

/**
 * All users read everything but credentials; editors create, and change what is their own; see docs/guides/roles.md.
 * Credentials are for owners and admins, and for admins of projects, of which there is none here.
 */
const ROWS: Readonly<Record<string, Row>> = {
  'GET /workflows': READ,
  'GET /workflows/:id': READ,
  'POST /workflows': { ...CREATE, body: WORKFLOW },
  'PUT /workflows/:id': { ...REFUSED, body: WORKFLOW },
  'DELETE /workflows/:id': REFUSED,
  'POST /workflows/:id/activate': REFUSED,
  'POST /workflows/:id/deactivate': REFUSED,
  'POST /workflows/:id/execute': { ...REFUSED, body: {} },
  'GET /workflows/:id/schedule': READ,
  'POST /workflows/:id/backfill': { ...REFUSED, body: PERIOD },
  'GET /workflows/:id/backfills': READ,
  'POST /backfills/:id/cancel': REFUSED,
  'GET /executions': READ,
  'GET /executions/:id': READ,
  'GET /executions/:id/binary/:ref': READ,
  'POST /executions/:id/cancel': REFUSED,
  'POST /executions/:id/retry': { ...REFUSED, body: {} },
  // An editor's job takes its own executions alone: of these it finds none.
  'POST /executions/retry': { viewer: 403, editor: 200, body: { filter: { status: 'success' }, dryRun: true } },
  'DELETE /executions/:id': REFUSED,
  'GET /retry-jobs': READ,
  'GET /retry-jobs/:id': READ,
  'POST /retry-jobs/:id/cancel': REFUSED,
  'GET /deliveries': READ,
  'GET /deliveries/:id': READ,
  'POST /deliveries/:id/redeliver': REFUSED,
  'DELETE /deliveries/:id': REFUSED,
  'GET /node-types': READ,
  'GET /node-types/:id': READ,
  'GET /credentials': REFUSED,
  'GET /credentials/:id': REFUSED,
  'POST /credentials': { ...REFUSED, body: CREDENTIAL },
  'PUT /credentials/:id': { ...REFUSED, body: { name: 'mine' } },
  'DELETE /credentials/:id': REFUSED,
  'POST /credentials/:id/test': { ...REFUSED, body: {} },
  'GET /credential-types': READ,
  'GET /credential-types/:id': READ,
  'GET /variables': READ,
  'POST /variables': { ...CREATE, body: VARIABLE },
  'PUT /variables/:id': { ...REFUSED, body: VARIABLE },
  'DELETE /variables/:id': REFUSED,
  'GET /projects': READ,
  'GET /projects/:id': READ,
  'POST /projects': { ...REFUSED, body: PROJECT },
  // Editors manage projects that they are admins of; of this one they are not even members.
  'PUT /projects/:id': { ...REFUSED, body: PROJECT },
  'DELETE /projects/:id': REFUSED,
  'GET /projects/:id/members': REFUSED,
  'POST /projects/:id/members': { ...REFUSED, body: { email: USER.email, role: 'viewer' } },
  'PUT /projects/:id/members/:ref': { ...REFUSED, body: { role: 'admin' } },
  'DELETE /projects/:id/members/:ref': REFUSED,
  // The destination does not exist, which those learn who may move anything.
  'PUT /workflows/:id/transfer': { viewer: 403, editor: 404, body: NOWHERE },
  'PUT /variables/:id/transfer': { viewer: 403, editor: 404, body: NOWHERE },
  'PUT /data-tables/:id/transfer': { viewer: 403, editor: 404, body: NOWHERE },
  'PUT /credentials/:id/transfer': { ...REFUSED, body: NOWHERE },
  'GET /users': REFUSED,
  'GET /users/:id': REFUSED,
  'POST /users': { ...REFUSED, body: USER },
  'PUT /users/:id': { ...REFUSED, body: { role: 'viewer' } },
  'DELETE /users/:id': REFUSED,
  'POST /users/:id/lock': REFUSED,
  'POST /users/:id/unlock': REFUSED,
  // Everybody may end their own sessions; these are another user's.
  'POST /users/:id/sign-out': REFUSED,
  'POST /users/:id/reset-password': REFUSED,
  'GET /audit': REFUSED,
  'GET /invitations': REFUSED,
  'POST /invitations': { ...REFUSED, body: { email: 'invited@users.invalid', role: 'viewer' } },
  'DELETE /invitations/:id': REFUSED,
  'GET /users/:id/keys': REFUSED,
  'DELETE /users/:id/keys/:ref': REFUSED,
  'GET /keys': READ,
  'POST /keys': { viewer: 201, editor: 201, body: { name: 'own' } },
  // Their own; this is another user's.
  'DELETE /keys/:id': { viewer: 404, editor: 404 },
  'GET /data-tables': READ,
  'GET /data-tables/:id': READ,
  'POST /data-tables': { ...CREATE, body: TABLE },
  'PUT /data-tables/:id': { ...REFUSED, body: { name: 'mine' } },
  'DELETE /data-tables/:id': REFUSED,
  'GET /data-tables/:id/rows': READ,
  'POST /data-tables/:id/rows': { ...REFUSED, body: { rows: [{ a: 'x' }] } },
};

/** Takes files, and could be started by a clock. */
const ownersWorkflow: WorkflowFile = {
  name: 'of the owner',
  nodes: [
    node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'rights', responseMode: 'lastNode' }),
    // Its caller waits for no answer, and soon learns that its call is stored.
    node('Called', 'webhook', 2, 0, { httpMethod: 'POST', path: 'rights-kept' }),
    node('Clock', 'scheduleTrigger', 1.2, 0, { rule: { interval: [{ field: 'hours' }] } }),
    node('End', 'noOp', 1, 200),
  ],
  connections: connect({ Webhook: [['End']], Called: [['End']], Clock: [['End']] }),
  settings: { executionOrder: 'v1' },
};

describe('the rights of a user over REST', () => {
  let stack: Stack;
  let owner: Rest;
  let viewer: Rest;
  let editor: Rest;
  let otherEditor: Rest;
  let stranger: Rest;
  /** Ids of data of the owner, by the first part of the path. */
  const ids: Record<string, string> = { 'node-types': 'noOp', 'credential-types': 'httpHeaderAuth' };
  let ref = '';

  const send = (as: Rest, route: string, body = ROWS[route]?.body, id?: string): Promise<RestAnswer> => {
    const [method = '', path = ''] = route.split(' ');
    const own = id ?? ids[path.split('/')[1] ?? ''] ?? '';
    return as(method, path.replace(':id', encodeURIComponent(own)).replace(':ref', encodeURIComponent(ref)), body);
  };
  const storeFile = async (): Promise<void> => {
    const form = new FormData();
    form.append('doc', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
    const reply = await fetch(`${stack.baseUrls[0] ?? ''}/webhook/rights`, { method: 'POST', body: form });
    expect([reply.status, await reply.text()]).toEqual([200, expect.anything()]);
    const [execution] = listOf(await owner('GET', '/executions?limit=1'));
    ids['executions'] = String(execution?.['id']);
    const { text } = await owner('GET', `/executions/${ids['executions']}`);
    ref = /"id":"([^"]+\.file-[^"]+)"/.exec(text)?.[1] ?? '';
  };
  /** A call that came while no run could be started. */
  const storeDelivery = async (): Promise<void> => {
    const executions = stack.of('executions');
    for (const one of executions) one.kill('SIGKILL');
    const { json } = await callWebhook(stack.baseUrls[0] ?? '', 'rights-kept', {});
    ids['deliveries'] = String(json.error?.details?.['deliveryId']);
    await Promise.all(executions.map((one) => one.restart()));
  };

  beforeAll(async () => {
    stack = await borrowStack();
    const clientOf = (key: string): Rest => restClient(stack.baseUrls[0] ?? '', key);
    owner = clientOf(stack.apiKey);
    stranger = clientOf(`${stack.apiKey}0`);
    viewer = clientOf(await makeUser(stack, 'viewer', 'viewer'));
    editor = clientOf(await makeUser(stack, 'editor', 'editor'));
    otherEditor = clientOf(await makeUser(stack, 'other', 'editor'));
    ids['workflows'] = textOf(await owner('POST', '/workflows', { ...ownersWorkflow, active: true }), 'id');
    await storeFile();
    await storeDelivery();
    // A process may be healthy before each of those that call it has connected to it again.
    const made = async (route: string, body: unknown): Promise<string> =>
      until(route, async () => {
        const answer = await send(owner, route, body);
        return answer.status !== 503 && textOf(answer, 'id');
      });
    ids['users'] = await made('POST /users', USER);
    ids['projects'] = await made('POST /projects', PROJECT);
    ids['invitations'] = await made('POST /invitations', { email: 'open@users.invalid', role: 'viewer' });
    ids['credentials'] = await made('POST /credentials', CREDENTIAL);
    ids['variables'] = await made('POST /variables', { ...VARIABLE, key: 'owners' });
    ids['data-tables'] = await made('POST /data-tables', { ...TABLE, name: 'owners' });
    ids['backfills'] = await made('POST /workflows/:id/backfill', PERIOD);
    ids['retry-jobs'] = await made('POST /executions/retry', {
      filter: { workflowId: ids['workflows'], status: 'success' },
    });
  });
  afterAll(() => giveStackBack(stack));

  it('is listed here for every route, and for no other', () => {
    expect(Object.keys(ROWS).sort()).toEqual([...restRoutes()].sort());
  });

  it.each(Object.entries(ROWS))('%s is allowed only to the roles that the contract names', async (route, row) => {
    const answers = {
      stranger: await send(stranger, route),
      viewer: await send(viewer, route),
      editor: await send(editor, route),
    };
    const shown = ({ status, json }: RestAnswer) => [status, json.error?.code];
    const codes = new Map([
      [403, 'FORBIDDEN'],
      [404, 'INVALID_REQUEST'],
    ]);
    const expected = (status: number) => [status, codes.get(status)];
    expect(Object.entries(answers).map(([who, answer]) => [who, ...shown(answer)])).toEqual([
      ['stranger', 401, 'UNAUTHORIZED'],
      ['viewer', ...expected(row.viewer)],
      ['editor', ...expected(row.editor)],
    ]);
  });

  it('finds only its own executions to retry', async () => {
    const matched = async (as: Rest): Promise<unknown> => dataOf(await send(as, 'POST /executions/retry'))['matched'];
    expect(await matched(owner)).toBeGreaterThan(0);
    expect(await matched(editor)).toBe(0);
  });

  it.each(['/workflows', '/variables', '/data-tables', '/credentials'])(
    'creates nothing below %s in the projects of others',
    async (path) => {
      const body = { ...(ROWS[`POST ${path}`]?.body as object), projectId: ids['projects'] };
      for (const [as, status] of [
        [stranger, 401],
        [viewer, 403],
        [editor, 403],
      ] as const)
        expect((await as('POST', path, body)).status).toBe(status);
      const list = await owner('GET', `${path}?projectId=${ids['projects']}`);
      expect(list.json.data).toEqual([]);
    },
  );

  it.each([
    ['/workflows', { ...WORKFLOW, name: 'own' }],
    ['/variables', { key: 'own', value: 'v' }],
    ['/data-tables', { ...TABLE, name: 'own' }],
  ])('owns what it makes below %s: it may delete that, another editor may not', async (path, body) => {
    const id = textOf(await editor('POST', path, body), 'id');
    expect((await send(otherEditor, `DELETE ${path}/:id`, undefined, id)).status).toBe(403);
    expect((await send(editor, `DELETE ${path}/:id`, undefined, id)).json.data).toEqual({ success: true });
  });
});
