import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { ROLE_PERMISSIONS, type Role } from '@weft/service-kit/auth';
import { smallApp } from '../../support/apps';
import { keepCalls } from '../../support/kept-calls';
import { listOf, restClient, textOf, type Rest } from '../../support/rest';
import { requestTo, restRoutes } from '../../support/rest-routes';
import { permissionOf } from '../../support/route-permissions';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { connect, node, type WorkflowFile } from '../../support/workflows';

// Calls every route as every role, with the caller's own data where the role may create some: calls that the services'
// access tables allow get 2xx, all others 403. Data of other users is in rights.test.ts.

const PASSWORD = 'a password of enough letters';
const FIRST_ROW = { conditions: [{ column: 'id', condition: 'eq', value: 1 }] };
/** Of no workflow. */
const UNUSED_ID = '0198a5a0-0000-7000-8000-000000000000';
const PERIOD = { from: '2026-03-10T00:00:00Z', to: '2026-03-10T01:00:00Z' };

let made = 0;
/** A unique name. */
const fresh = (): string => {
  made += 1;
  return `granted${made}`;
};

/** A project with the editor as an editor. */
let sharedProject = '';

/** A project with the editor as an admin, so that the editor manages its credentials. */
let managedProject = '';

const workflowFile = (path: string): WorkflowFile => ({
  name: path,
  nodes: [
    node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'lastNode' }),
    node('Kept', 'webhook', 2, 0, { httpMethod: 'POST', path: `${path}-kept` }),
    node('Clock', 'scheduleTrigger', 1.2, 0, { rule: { interval: [{ field: 'hours' }] } }),
    node('End', 'noOp', 1, 200),
  ],
  connections: connect({ Webhook: [['End']], Kept: [['End']], Clock: [['End']] }),
  settings: { executionOrder: 'v1' },
});

const BODIES: Readonly<Record<string, () => unknown>> = {
  'POST /workflows': () => workflowFile(fresh()),
  'POST /workflows/check': () => ({ workflows: [workflowFile(fresh())] }),
  'PUT /workflows/:id': () => workflowFile(fresh()),
  'POST /workflows/:id/execute': () => ({ wait: true }),
  'POST /workflows/:id/backfill': () => PERIOD,
  'POST /executions/:id/approvals/:run': () => ({ decision: 'approve' }),
  'POST /executions/:id/replies/:run': () => ({ text: 'x' }),
  'POST /executions/:id/retry': () => ({ from: 'start' }),
  'POST /executions/retry': () => ({ filter: { status: 'success' }, dryRun: true }),
  'POST /credentials': () => ({
    name: fresh(),
    type: 'httpHeaderAuth',
    data: { name: 'x-a', value: 'secret' },
    projectId: managedProject,
  }),
  'PUT /credentials/:id': () => ({ name: fresh() }),
  // The guard refuses the address, and the test reports that.
  'POST /credentials/:id/test': () => ({ url: 'http://127.0.0.1:1/' }),
  'POST /node-types/:id/options': () => ({ list: 'channels' }),
  'PUT /apps/:id': () => smallApp('granted', 'grantedKind'),
  // The guard refuses the address. Paused: the runs of other stories notify nobody.
  'POST /event-subscriptions': () => ({ name: fresh(), url: 'http://127.0.0.1:1/', paused: true }),
  'PUT /event-subscriptions/:id': () => ({ name: fresh(), url: 'http://127.0.0.1:1/', paused: true }),
  'POST /variables': () => ({ key: fresh(), value: 'v' }),
  'PUT /variables/:id': () => ({ key: fresh(), value: 'w' }),
  'POST /data-tables': () => ({ name: fresh(), columns: [{ name: 'a', type: 'string' }] }),
  'PUT /data-tables/:id': () => ({ name: fresh() }),
  'POST /data-tables/:id/rows': () => ({ rows: [{ a: 'x' }] }),
  'POST /data-tables/:id/rows/query': () => ({}),
  'POST /data-tables/:id/rows/update': () => ({ filter: FIRST_ROW, values: { a: 'y' } }),
  'POST /data-tables/:id/rows/upsert': () => ({ filter: FIRST_ROW, values: { a: 'y' } }),
  'POST /data-tables/:id/rows/delete': () => ({ filter: FIRST_ROW }),
  'PUT /data-tables/:id/rows/:rowId': () => ({ values: { a: 'y' } }),
  'PUT /workflows/:id/listening': () => ({ node: 'Webhook' }),
  'POST /users': () => ({ email: `${fresh()}@users.invalid`, password: PASSWORD, role: 'viewer' }),
  'PUT /users/:id': () => ({ role: 'viewer' }),
  'POST /invitations': () => ({ email: `${fresh()}@users.invalid`, role: 'viewer' }),
  'POST /keys': () => ({ name: fresh() }),
  'POST /projects': () => ({ name: fresh() }),
  'PUT /projects/:id': () => ({ name: fresh() }),
  'POST /projects/:id/members': () => ({ email: 'granted-viewer@users.invalid', role: 'editor' }),
  'PUT /projects/:id/members/:userId': () => ({ role: 'editor' }),
  ...Object.fromEntries(
    ['workflows', 'variables', 'data-tables', 'credentials'].map((path) => [
      `PUT /${path}/:id/transfer`,
      () => ({ destinationProjectId: sharedProject }),
    ]),
  ),
};

/**
 * Parts of the answers of calls that have the rights, and cannot succeed here: a kind without lists, no browser, a run
 * that waits for nothing.
 */
const REFUSED_LATER: Readonly<Record<string, string>> = {
  'POST /node-types/:id/options': 'has no lists of options',
  'POST /credentials/:id/oauth2/start': 'SESSION_REQUIRED',
  'POST /executions/:id/approvals/:run': 'APPROVAL_NOT_PENDING',
  'POST /executions/:id/replies/:run': 'EXECUTION_NOT_WAITING',
};

const ROLES: readonly Role[] = ['viewer', 'editor', 'admin', 'owner'];

describe('what a role may do over REST with its own data', () => {
  let stack: Stack;
  const clients = new Map<Role, Rest>();
  /** Stored calls by the owner of their workflow; each is used once. */
  const kept = new Map<Role, string[]>();
  /** A user with a key for each call that deletes one. */
  const keyHolders: { readonly id: string; readonly ref: string }[] = [];
  const selves = new Map<Role, string>();
  let file = { id: '', ref: '' };

  const as = (role: Role): Rest => {
    const client = clients.get(role);
    if (client === undefined) throw new Error(`No user has the role ${role}.`);
    return client;
  };
  const may = (role: Role, route: string): boolean => {
    const needed = permissionOf(route);
    return needed === 'all' || ROLE_PERMISSIONS[role].some((permission) => permission === needed);
  };
  /** Right after a process was started, its callers may not have found it yet. */
  const make = (role: Role, route: string, id = '', name = 'id'): Promise<string> => {
    const [method = '', path = ''] = route.split(' ');
    const who = may(role, route) ? role : 'owner';
    return until(`${route} as ${who}`, async () => {
      const answer = await as(who)(method, path.replace(':id', id), BODIES[route]?.());
      return answer.status !== 503 && textOf(answer, name);
    });
  };

  /** A new project that the role manages, as its admin if it is an editor, with the viewer as another member. */
  const projectOf = async (role: Role): Promise<string> => {
    const id = await make('owner', 'POST /projects');
    for (const [member, memberRole] of [
      ['viewer', 'viewer'],
      ['editor', role === 'editor' ? 'admin' : 'viewer'],
    ] as const)
      await as('owner')('POST', `/projects/${id}/members`, { userId: selves.get(member), role: memberRole });
    return id;
  };

  /** A subscription of the role with a notification, by the id of its execution. */
  const notificationOf = async (role: Role): Promise<{ readonly id: string; readonly ref: string }> => {
    const workflow = await make(role, 'POST /workflows');
    const body = { name: fresh(), url: 'http://127.0.0.1:1/', workflowIds: [workflow] };
    const id = textOf(await as(role)('POST', '/event-subscriptions', body), 'id');
    const ref = await make(role, 'POST /workflows/:id/execute', workflow, 'executionId');
    await until('the notification is stored', async () => {
      const { text } = await as(role)('GET', `/event-subscriptions/${id}/notifications`);
      return text.includes(ref);
    });
    return { id, ref };
  };

  /** A new resource for a route: the caller's if the caller may create one, otherwise the owner's. */
  const ownFor = async (role: Role, route: string): Promise<{ readonly id: string; readonly ref?: string }> => {
    const path = route.split(' ')[1] ?? '';
    const [, first = ''] = path.split('/');
    if (path.includes('/binary/')) return file;
    if (path.includes('/notifications/'))
      return notificationOf(may(role, 'POST /event-subscriptions') ? role : 'owner');
    if (path.includes('/rows/:rowId')) {
      const id = await make(role, 'POST /data-tables');
      await as('owner')('POST', `/data-tables/${id}/rows`, { rows: [{ a: 'x' }] });
      return { id, ref: '1' };
    }
    if (path.includes('/node-runs/')) return { id: file.id, ref: '0' };
    if (path.includes('/keys/:keyId')) return keyHolders.shift() ?? { id: '', ref: '' };
    // Roles that may not manage users may end only their own sessions.
    if (path.includes('/grants/')) {
      const id = await make(role, 'POST /credentials');
      if (route.startsWith('DELETE')) await as('owner')('PUT', `/credentials/${id}/grants/${sharedProject}`);
      return { id, ref: sharedProject };
    }
    if (first === 'projects') return { id: await projectOf(role), ref: selves.get('viewer') ?? '' };
    if (path.endsWith('/sign-out') && !may(role, 'POST /users')) return { id: selves.get(role) ?? '' };
    if (first === 'node-types') return { id: 'noOp' };
    if (first === 'apps') {
      await as('owner')('PUT', '/apps/granted', BODIES['PUT /apps/:id']?.());
      return { id: 'granted' };
    }
    if (first === 'credential-types') return { id: 'httpHeaderAuth' };
    if (first === 'deliveries') return { id: kept.get(may(role, route) ? role : 'owner')?.at(-1) ?? '' };
    if (path.includes('/versions/')) {
      const id = await make(role, 'POST /workflows');
      const [version] = listOf(await as(role)('GET', `/workflows/${id}/versions`));
      return { id, ref: String(version?.['versionId']) };
    }
    if (first === 'workflows') return { id: await make(role, 'POST /workflows') };
    if (first === 'backfills')
      return { id: await make(role, 'POST /workflows/:id/backfill', await make(role, 'POST /workflows')) };
    if (first === 'executions' || first === 'retry-jobs') {
      const workflow = await make(role, 'POST /workflows');
      const execution = await make(role, 'POST /workflows/:id/execute', workflow, 'executionId');
      if (first === 'executions') return { id: execution, ref: '1' };
      const who = may(role, 'POST /executions/retry') ? role : 'owner';
      const filter = { workflowId: workflow, status: 'error' };
      return { id: textOf(await as(who)('POST', '/executions/retry', { filter }), 'id') };
    }
    return { id: await make(role, `POST /${first}`) };
  };

  const storeDeliveries = async (): Promise<void> => {
    const paths = new Map<Role, string>();
    for (const role of ROLES.filter((one) => may(one, 'POST /workflows'))) {
      const path = fresh();
      await as(role)('POST', '/workflows', { ...workflowFile(path), active: true });
      paths.set(role, path);
    }
    const ids = await keepCalls(
      stack,
      [...paths.values()].map((path) => [`${path}-kept`, {}] as const),
    );
    [...paths.keys()].forEach((role, index) => kept.set(role, ids.slice(index, index + 1)));
  };
  const storeFile = async (): Promise<void> => {
    const path = fresh();
    await as('owner')('POST', '/workflows', { ...workflowFile(path), active: true });
    const form = new FormData();
    form.append('doc', new Blob(['text'], { type: 'text/plain' }), 'a.txt');
    await fetch(`${stack.baseUrls[0] ?? ''}/webhook/${path}`, { method: 'POST', body: form });
    const [execution] = listOf(await as('owner')('GET', '/executions?limit=1'));
    const id = String(execution?.['id']);
    const { text } = await as('owner')('GET', `/executions/${id}`);
    file = { id, ref: /"id":"([^"]+\.file-[^"]+)"/.exec(text)?.[1] ?? '' };
  };

  /**
   * Opens projects that an earlier story closed, since jobs of owners are for those who see everything. Services use
   * their previous copy for a moment longer.
   */
  const openProjects = async (): Promise<void> => {
    for (let query = '?limit=100'; query !== '';) {
      const page = await as('owner')('GET', `/projects${query}`);
      for (const { id, name, closed } of listOf(page))
        if (closed === true) await as('owner')('PUT', `/projects/${String(id)}`, { name, closed: false });
      const { nextCursor } = page.json;
      query = typeof nextCursor === 'string' ? `?limit=100&cursor=${encodeURIComponent(nextCursor)}` : '';
    }
    const { id } = await ownFor('viewer', 'GET /retry-jobs/:id');
    let seen = '';
    await until(
      () => `no project is closed any more; the last answer was ${seen}`,
      async () => {
        const { status, text } = await as('viewer')('GET', `/retry-jobs/${id}`);
        seen = `${status} ${text}`;
        return status === 200;
      },
    );
  };

  beforeAll(async () => {
    stack = await borrowStack();
    const clientOf = (key: string): Rest => restClient(stack.baseUrls[0] ?? '', key);
    clients.set('owner', clientOf(stack.apiKey));
    for (const role of ['viewer', 'editor', 'admin'] as const)
      clients.set(role, clientOf(await makeUser(stack, `granted-${role}`, role)));
    for (const role of ROLES) await makeUser(stack, `holder-${role}`, 'viewer');
    for (const user of listOf(await as('owner')('GET', '/users'))) {
      for (const role of ROLES)
        if (user['email'] === `granted-${role}@users.invalid`) selves.set(role, String(user['id']));
      if (!String(user['email']).startsWith('holder-')) continue;
      const [key] = listOf(await as('owner')('GET', `/users/${String(user['id'])}/keys`));
      keyHolders.push({ id: String(user['id']), ref: String(key?.['id']) });
    }
    sharedProject = await make('owner', 'POST /projects');
    await as('owner')('POST', `/projects/${sharedProject}/members`, { userId: selves.get('editor'), role: 'editor' });
    managedProject = await make('owner', 'POST /projects');
    await as('owner')('POST', `/projects/${managedProject}/members`, { userId: selves.get('editor'), role: 'admin' });
    await openProjects();
    await storeFile();
    await storeDeliveries();
  });
  afterAll(() => giveStackBack(stack));

  // Routes that delete come last: a stored call is there until then.
  const routes = [...restRoutes()].sort(
    (one, other) => Number(one.startsWith('DELETE')) - Number(other.startsWith('DELETE')),
  );

  it.each(routes)('%s is granted to the roles with the permission of its RPC, and to no other', async (route) => {
    const statuses: Record<string, string> = {};
    for (const role of ROLES) {
      const { id, ref = '' } = route.includes(':id') ? await ownFor(role, route) : { id: '' };
      const [method, address] = requestTo(route, { id, ref, workflowId: UNUSED_ID });
      const nobody = await restClient(stack.baseUrls[0] ?? '', undefined)(method, address, BODIES[route]?.());
      const answer = await as(role)(method, address, BODIES[route]?.());
      const later = REFUSED_LATER[route];
      const isDone = later === undefined ? answer.status < 300 : answer.text.includes(later);
      statuses[role] = [nobody.status, isDone ? 'done' : `${answer.status} ${answer.text}`].join(' ');
    }
    const shown = Object.fromEntries(
      Object.entries(statuses).map(([role, text]) => [role, text.replace(/ 403 .*/, ' 403')]),
    );
    expect(shown).toEqual(Object.fromEntries(ROLES.map((role) => [role, may(role, route) ? '401 done' : '401 403'])));
  });
});
