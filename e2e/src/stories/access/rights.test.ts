import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { makeOwnedThings, type OwnedThings } from '../../support/canaries/owned-things';
import { dataOf, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { requestTo, restRoutes } from '../../support/rest-routes';
import { makeUser } from '../../support/users';
import { smallWorkflow } from '../../support/workflows';

/** Answers of a route for data of the owner. */
interface Row {
  /** Status for a viewer. */
  readonly viewer: number;
  /** Status for an editor who owns nothing. */
  readonly editor: number;
  /**
   * How a closed project answers non-members: its objects are refused, or left out of the list, or the answer is the
   * same, since the route shows nothing of the project.
   */
  readonly closed: 'refused' | 'left out' | 'unchanged';
  readonly body?: unknown;
}

/** Routes whose data has no owner, or that are refused anyway. */
const READ = { viewer: 200, editor: 200, closed: 'unchanged' } as const;
const READ_ONE = { viewer: 200, editor: 200, closed: 'refused' } as const;
const LIST = { viewer: 200, editor: 200, closed: 'left out' } as const;
const CREATE = { viewer: 403, editor: 201, closed: 'unchanged' } as const;
const REFUSED = { viewer: 403, editor: 403, closed: 'unchanged' } as const;

const PERIOD = { from: '2026-03-10T00:00:00Z', to: '2026-03-10T01:00:00Z' };
const WORKFLOW = smallWorkflow('rights-new');
const CREDENTIAL = { name: 'c', type: 'httpHeaderAuth', data: { name: 'x-a', value: 'secret' } };
const VARIABLE = { key: 'rights', value: 'v' };
const SUBSCRIPTION = { name: 'rights', url: 'https://receiver.invalid/', paused: true };
const USER = { email: 'rights@users.invalid', password: 'a password of enough letters', role: 'viewer' };
const PROJECT = { name: 'rights' };
const NOWHERE = { destinationProjectId: '01890000-0000-7000-8000-000000000000' };
const TABLE = { name: 'rights', columns: [{ name: 'a', type: 'string' }] };
const EVERY_ROW = { conditions: [{ column: 'id', condition: 'gte', value: 0 }] };

/**
 * All users read everything but credentials; editors create, and change what is their own; see docs/guides/roles.md.
 * Credentials are for owners and admins, and for admins of projects, of which there are none here.
 */
const ROWS: Readonly<Record<string, Row>> = {
  'GET /workflows': LIST,
  'GET /workflows/:id': READ_ONE,
  'POST /workflows': { ...CREATE, body: WORKFLOW },
  'GET /workflows/:id/versions': READ_ONE,
  'GET /workflows/:id/versions/:versionId': READ_ONE,
  'GET /workflows/:id/conversations': REFUSED,
  'DELETE /workflows/:id/conversations': REFUSED,
  'GET /workflows/:id/conversations/:conversationId': REFUSED,
  'DELETE /workflows/:id/conversations/:conversationId': REFUSED,
  'POST /workflows/check': { viewer: 403, editor: 200, closed: 'unchanged', body: { workflows: [WORKFLOW] } },
  'PUT /workflows/:id': { ...REFUSED, body: WORKFLOW },
  'DELETE /workflows/:id': REFUSED,
  'POST /workflows/:id/activate': REFUSED,
  'POST /workflows/:id/deactivate': REFUSED,
  'POST /workflows/:id/execute': { ...REFUSED, body: {} },
  'PUT /workflows/:id/listening': { ...REFUSED, body: { node: 'Hook' } },
  'GET /workflows/:id/listening': READ_ONE,
  'DELETE /workflows/:id/listening': REFUSED,
  'GET /workflows/:id/schedule': READ_ONE,
  'POST /workflows/:id/backfill': { ...REFUSED, body: PERIOD },
  'GET /workflows/:id/backfills': READ_ONE,
  'GET /schedules': LIST,
  'GET /backfills': LIST,
  'POST /backfills/:id/cancel': REFUSED,
  'GET /executions': LIST,
  'GET /executions/latest': LIST,
  'GET /executions/:id': READ_ONE,
  'GET /executions/:id/binary/:fileId': READ_ONE,
  'GET /executions/:id/events': READ_ONE,
  'GET /executions/:id/node-runs/:executionIndex': READ_ONE,
  'GET /executions/:id/node-runs/:executionIndex/items': READ_ONE,
  'POST /executions/:id/approvals/:run': { ...REFUSED, body: { decision: 'approve' } },
  'POST /executions/:id/cancel': REFUSED,
  'POST /executions/:id/retry': { ...REFUSED, body: {} },
  // An editor's job retries only the editor's executions, and finds none of these.
  'POST /executions/retry': {
    viewer: 403,
    editor: 200,
    closed: 'unchanged',
    body: { filter: { status: 'success' }, dryRun: true },
  },
  'DELETE /executions/:id': REFUSED,
  'GET /retry-jobs': LIST,
  // An owner's job retries the executions of all users, including those of the closed project.
  'GET /retry-jobs/:id': REFUSED,
  'POST /retry-jobs/:id/cancel': REFUSED,
  'GET /event-subscriptions': LIST,
  'GET /event-subscriptions/:id': READ_ONE,
  'POST /event-subscriptions': { ...CREATE, body: SUBSCRIPTION },
  'PUT /event-subscriptions/:id': { ...REFUSED, body: SUBSCRIPTION },
  'DELETE /event-subscriptions/:id': REFUSED,
  'GET /event-subscriptions/:id/notifications': READ_ONE,
  'POST /event-subscriptions/:id/notifications/:executionId/resend': REFUSED,
  'POST /event-subscriptions/:id/test': REFUSED,
  'GET /deliveries': LIST,
  'GET /deliveries/:id': READ_ONE,
  'POST /deliveries/:id/redeliver': REFUSED,
  'DELETE /deliveries/:id': REFUSED,
  'GET /node-types': READ,
  'GET /node-types/:id': READ,
  // The kind has no lists.
  'POST /node-types/:id/options': { viewer: 403, editor: 400, closed: 'unchanged', body: { list: 'channels' } },
  'GET /apps': READ,
  // There is none.
  'GET /apps/:id': { viewer: 404, editor: 404, closed: 'unchanged' },
  'PUT /apps/:id': { ...REFUSED, body: {} },
  'DELETE /apps/:id': REFUSED,
  'GET /credentials': REFUSED,
  'GET /credentials/:id': REFUSED,
  'POST /credentials': { ...REFUSED, body: CREDENTIAL },
  'PUT /credentials/:id': { ...REFUSED, body: { name: 'mine' } },
  'DELETE /credentials/:id': REFUSED,
  'GET /credentials/:id/workflows': REFUSED,
  'GET /credentials/:id/grants': REFUSED,
  'PUT /credentials/:id/grants/:grantedTo': REFUSED,
  'DELETE /credentials/:id/grants/:grantedTo': REFUSED,
  'POST /credentials/:id/test': { ...REFUSED, body: {} },
  'POST /credentials/:id/oauth2/start': REFUSED,
  'GET /credential-types': READ,
  'GET /credential-types/:id': READ,
  'GET /variables': LIST,
  'POST /variables': { ...CREATE, body: VARIABLE },
  'GET /variables/:id': READ_ONE,
  'PUT /variables/:id': { ...REFUSED, body: VARIABLE },
  'DELETE /variables/:id': REFUSED,
  'GET /projects': READ,
  'GET /projects/:id': READ,
  'POST /projects': { ...REFUSED, body: PROJECT },
  // Editors manage projects in which they are admins; of this one they are not even members.
  'PUT /projects/:id': { ...REFUSED, body: PROJECT },
  'DELETE /projects/:id': REFUSED,
  'GET /projects/:id/members': REFUSED,
  'GET /projects/:id/granted-credentials': REFUSED,
  'POST /projects/:id/members': { ...REFUSED, body: { email: USER.email, role: 'viewer' } },
  'PUT /projects/:id/members/:userId': { ...REFUSED, body: { role: 'admin' } },
  'DELETE /projects/:id/members/:userId': REFUSED,
  // The destination does not exist; only callers who may move resources learn that.
  'PUT /workflows/:id/transfer': { viewer: 403, editor: 404, closed: 'unchanged', body: NOWHERE },
  'PUT /variables/:id/transfer': { viewer: 403, editor: 404, closed: 'unchanged', body: NOWHERE },
  'PUT /data-tables/:id/transfer': { viewer: 403, editor: 404, closed: 'unchanged', body: NOWHERE },
  'PUT /credentials/:id/transfer': { ...REFUSED, body: NOWHERE },
  'GET /users': REFUSED,
  'GET /users/:id': REFUSED,
  'POST /users': { ...REFUSED, body: USER },
  'PUT /users/:id': { ...REFUSED, body: { role: 'viewer' } },
  'DELETE /users/:id': REFUSED,
  'POST /users/:id/lock': REFUSED,
  'POST /users/:id/unlock': REFUSED,
  // All users may end their own sessions; these are another user's.
  'POST /users/:id/sign-out': REFUSED,
  'POST /users/:id/reset-password': REFUSED,
  'GET /me': READ,
  'GET /version': READ,
  'GET /status': REFUSED,
  'GET /audit': REFUSED,
  'GET /invitations': REFUSED,
  'POST /invitations': { ...REFUSED, body: { email: 'invited@users.invalid', role: 'viewer' } },
  'DELETE /invitations/:id': REFUSED,
  'GET /users/:id/keys': REFUSED,
  'DELETE /users/:id/keys/:keyId': REFUSED,
  'GET /keys': READ,
  'POST /keys': { viewer: 201, editor: 201, closed: 'unchanged', body: { name: 'own' } },
  // Their own; this is another user's.
  'DELETE /keys/:id': { viewer: 404, editor: 404, closed: 'unchanged' },
  'GET /data-tables': LIST,
  'GET /data-tables/:id': READ_ONE,
  'POST /data-tables': { ...CREATE, body: TABLE },
  'PUT /data-tables/:id': { ...REFUSED, body: { name: 'mine' } },
  'DELETE /data-tables/:id': REFUSED,
  'GET /data-tables/:id/rows': READ_ONE,
  'POST /data-tables/:id/rows': { ...REFUSED, body: { rows: [{ a: 'x' }] } },
  'POST /data-tables/:id/rows/query': { ...READ_ONE, body: {} },
  'POST /data-tables/:id/rows/update': { ...REFUSED, body: { filter: EVERY_ROW, values: { a: 'x' } } },
  'POST /data-tables/:id/rows/upsert': { ...REFUSED, body: { filter: EVERY_ROW, values: { a: 'x' } } },
  'PUT /data-tables/:id/rows/:rowId': { ...REFUSED, body: { values: { a: 'x' } } },
  'DELETE /data-tables/:id/rows/:rowId': REFUSED,
  'POST /data-tables/:id/rows/delete': { ...REFUSED, body: { filter: EVERY_ROW } },
};

describe('the rights of a user over REST', () => {
  let stack: Stack;
  let owner: Rest;
  let viewer: Rest;
  let editor: Rest;
  let otherEditor: Rest;
  let stranger: Rest;
  /** Ids of data of the owner, by the first part of the path. */
  const ids: Record<string, string> = { 'node-types': 'noOp', 'credential-types': 'httpHeaderAuth', apps: 'none' };
  /** The same of a closed project. */
  let closed: OwnedThings;
  /** A viewer of the closed project, and of the instance. */
  let member: Rest;

  const send = (as: Rest, route: string, body = ROWS[route]?.body, id?: string): Promise<RestAnswer> =>
    sendAbout(as, route, { ...ids, ...(id === undefined ? {} : { [partOf(route)]: id }) }, body);
  const partOf = (route: string): string => route.split('/')[1] ?? '';
  const sendAbout = (
    as: Rest,
    route: string,
    about: Readonly<Record<string, string>>,
    body = ROWS[route]?.body,
  ): Promise<RestAnswer> => {
    const id = about[partOf(route)] ?? '';
    const named = about[route.includes('/versions/') ? 'version' : 'ref'] ?? '';
    const ref = route.includes('/node-runs/') ? '0' : route.includes('/rows/:rowId') ? '1' : named;
    const [method, address] = requestTo(route, { id, ref, workflowId: about['workflows'] ?? '' });
    return as(method, address, body);
  };

  beforeAll(async () => {
    stack = await borrowStack();
    const clientOf = (key: string): Rest => restClient(stack.baseUrls[0] ?? '', key);
    owner = clientOf(stack.apiKey);
    // Wrong keys of one address are limited: see strangers.long.test.ts.
    stranger = restClient(stack.baseUrls[0] ?? '', undefined);
    viewer = clientOf(await makeUser(stack, 'viewer', 'viewer'));
    editor = clientOf(await makeUser(stack, 'editor', 'editor'));
    otherEditor = clientOf(await makeUser(stack, 'other', 'editor'));
    Object.assign(ids, await makeOwnedThings(stack, owner, { name: 'rights-owner' }));
    const made = async (route: string, body: unknown): Promise<string> => textOf(await send(owner, route, body), 'id');
    ids['users'] = await made('POST /users', USER);
    ids['projects'] = await made('POST /projects', PROJECT);
    ids['invitations'] = await made('POST /invitations', { email: 'open@users.invalid', role: 'viewer' });
    ids['credentials'] = await made('POST /credentials', CREDENTIAL);
    const projectId = await made('POST /projects', { name: 'rights closed', closed: true });
    closed = await makeOwnedThings(stack, owner, { name: 'rights-closed', projectId });
    member = clientOf(await makeUser(stack, 'member', 'viewer'));
    const joins = { email: 'member@users.invalid', role: 'viewer' };
    expect((await owner('POST', `/projects/${projectId}/members`, joins)).status).toBe(201);
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
      [400, 'INVALID_REQUEST'],
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

  describe.each(Object.entries(ROWS))('%s, of what a closed project owns,', (route, row) => {
    const codesOf = ({ status, json }: RestAnswer) => [status, json.error?.code];
    /** Ids of the closed project's data, as responses contain them. */
    const closedIn = ({ text }: RestAnswer): string[] => Object.values(closed).filter((id) => text.includes(id));
    const about = (): Record<string, string> => ({ ...ids, ...closed });

    it(`is ${row.closed} for those who are not members`, async () => {
      for (const [as, status] of [
        [viewer, row.viewer],
        [editor, row.editor],
      ] as const) {
        const answer = await sendAbout(as, route, about());
        if (row.closed === 'refused') expect(codesOf(answer)).toEqual([403, 'FORBIDDEN']);
        if (row.closed === 'left out') expect([answer.status, closedIn(answer)]).toEqual([200, []]);
        // An earlier creation had the same body.
        if (row.closed === 'unchanged') expect([status, 409]).toContain(answer.status);
      }
    });

    it('is read by a viewer of it, and by the owner of the instance', async () => {
      if (row.closed === 'unchanged') return;
      // Retry jobs of owners take the executions of all users: they are for those who see everything.
      for (const as of route.includes('retry-jobs') ? [owner] : [member, owner]) {
        const answer = await sendAbout(as, route, about());
        expect(answer.status).toBe(200);
        if (row.closed === 'left out') expect(closedIn(answer)).not.toEqual([]);
      }
    });
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
