import { smallWorkflow } from './workflows';

/** Answers of a route for data of the owner. */
export interface Row {
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
export const WORKFLOW = smallWorkflow('rights-new');
export const CREDENTIAL = { name: 'c', type: 'httpHeaderAuth', data: { name: 'x-a', value: 'secret' } };
const VARIABLE = { key: 'rights', value: 'v' };
const SUBSCRIPTION = { name: 'rights', url: 'https://receiver.invalid/', paused: true };
export const USER = { email: 'rights@users.invalid', password: 'a password of enough letters', role: 'viewer' };
export const PROJECT = { name: 'rights' };
const NOWHERE = { destinationProjectId: '01890000-0000-7000-8000-000000000000' };
export const TABLE = { name: 'rights', columns: [{ name: 'a', type: 'string' }] };
const EVERY_ROW = { conditions: [{ column: 'id', condition: 'gte', value: 0 }] };

/**
 * All users read everything but credentials; editors create, and change what is their own; see docs/guides/roles.md.
 * Only owners and admins manage credentials: these projects have no admins.
 */
export const ROWS: Readonly<Record<string, Row>> = {
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
  'POST /executions/:id/replies/:run': { ...REFUSED, body: { text: 'x' } },
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
  // No app is stored under this name.
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
