import { Role } from '@weft/proto/identity';
import { KEYS } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

const shown = { id: 'p1', name: 'Sales', createdAt: '2026-01-02T03:04:05.678Z', closed: false };
const member = { userId: 'u1', email: 'ada@example.test', name: 'Ada', role: 'editor' };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(() => gateway.stop());

const requestsOf = (method: string): unknown[] => gateway.identity.callsOf(method).map(({ request }) => request);
const DONE = { data: { success: true } };

describe('GET /api/v1/projects', () => {
  it('returns them to everyone who can read workflows', async () => {
    expect((await gateway.api('GET', '/projects', { key: KEYS.viewer })).json).toEqual({ data: [shown] });
  });
});

describe('POST /api/v1/projects', () => {
  it('responds with 201 and the project, and is 403 for an editor', async () => {
    const { status, json, headers } = await gateway.api('POST', '/projects', { body: { name: 'New' } });
    expect([status, json.data, headers.get('location')]).toEqual([
      201,
      { ...shown, name: 'New' },
      '/api/v1/projects/p1',
    ]);
    expect((await gateway.api('POST', '/projects', { body: { name: 'New' }, key: KEYS.editor })).status).toBe(403);
  });

  it('is 400 without a name', async () => {
    const { status, json } = await gateway.api('POST', '/projects', { body: {} });
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field: 'name' }] }]);
  });
});

describe('the flag of a closed project', () => {
  it('is set at creation and by PUT, and stays unchanged if PUT omits it', async () => {
    const made = await gateway.api('POST', '/projects', { body: { name: 'New', closed: true } });
    expect([made.status, made.json.data]).toEqual([201, { ...shown, name: 'New', closed: true }]);
    const closing = await gateway.api('PUT', '/projects/p1', { body: { name: 'Sales', closed: true } });
    expect(closing.json.data).toEqual({ ...shown, closed: true });
    await gateway.api('PUT', '/projects/p1', { body: { name: 'Sales' } });
    expect(requestsOf('renameProject')).toEqual([
      { projectId: 'p1', name: 'Sales', closed: true },
      { projectId: 'p1', name: 'Sales' },
    ]);
  });

  it.each(['POST', 'PUT'] as const)('is 400 at %s if it is not a boolean', async (method) => {
    const path = method === 'POST' ? '/projects' : '/projects/p1';
    const { status, json } = await gateway.api(method, path, { body: { name: 'New', closed: 'yes' } });
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field: 'closed' }] }]);
  });
});

describe('GET /api/v1/projects/:id', () => {
  it('returns the project, and 404 with the id of an unknown one', async () => {
    expect((await gateway.api('GET', '/projects/p1')).json).toEqual({ data: shown });
    const { status, json } = await gateway.api('GET', '/projects/none');
    expect([status, json.error?.code, json.error?.details]).toEqual([404, 'INVALID_REQUEST', { projectId: 'none' }]);
  });
});

describe('PUT /api/v1/projects/:id', () => {
  it('renames the project, and accepts a response of GET', async () => {
    const { json } = await gateway.api('PUT', '/projects/p1', { body: { ...shown, name: 'Marketing' } });
    expect(json.data).toEqual({ ...shown, name: 'Marketing' });
  });
});

describe('DELETE /api/v1/projects/:id', () => {
  it("passes on the recipient of the project's objects", async () => {
    expect((await gateway.api('DELETE', '/projects/p1?transferTo=p2')).json).toEqual(DONE);
    expect(requestsOf('deleteProject')).toEqual([{ projectId: 'p1', transferTo: 'p2' }]);
  });
});

describe('GET /api/v1/projects/:id/members', () => {
  it('returns the members to users who manage projects', async () => {
    expect((await gateway.api('GET', '/projects/p1/members', { key: KEYS.editor })).json).toEqual({ data: [member] });
    expect((await gateway.api('GET', '/projects/p1/members', { key: KEYS.viewer })).status).toBe(403);
  });
});

describe('POST /api/v1/projects/:id/members', () => {
  it('adds a user by email or id', async () => {
    const add = (body: unknown) => gateway.api('POST', '/projects/p1/members', { body });
    const { status, json } = await add({ email: 'ada@example.test', role: 'admin' });
    expect([status, json.data]).toEqual([201, { ...member, role: 'admin' }]);
    expect((await add({ userId: 'u1', role: 'viewer' })).status).toBe(201);
    expect(requestsOf('putProjectMember')).toEqual([
      { projectId: 'p1', user: { $case: 'email', value: 'ada@example.test' }, role: Role.ROLE_ADMIN },
      { projectId: 'p1', user: { $case: 'userId', value: 'u1' }, role: Role.ROLE_VIEWER },
    ]);
  });

  it.each([
    [{ role: 'editor' }, 'email'],
    [{ role: 'editor', email: 'a@b', userId: 'u1' }, 'email'],
    [{ userId: 'u1', role: 'owner' }, 'role'],
    [{ userId: 'u1' }, 'role'],
  ])('is 400 for %j, naming %s', async (body, field) => {
    const { status, json } = await gateway.api('POST', '/projects/p1/members', { body });
    expect([status, json.error?.details]).toMatchObject([400, { fields: [{ field }] }]);
    expect(requestsOf('putProjectMember')).toEqual([]);
  });
});

describe('PUT /api/v1/projects/:id/members/:userId', () => {
  it('changes the role of the member', async () => {
    const { json } = await gateway.api('PUT', '/projects/p1/members/u1', { body: { ...member, role: 'viewer' } });
    expect(json.data).toEqual({ ...member, role: 'viewer' });
  });
});

describe('DELETE /api/v1/projects/:id/members/:userId', () => {
  it('removes the member', async () => {
    expect((await gateway.api('DELETE', '/projects/p1/members/u1')).json).toEqual(DONE);
    expect(requestsOf('removeProjectMember')).toEqual([{ projectId: 'p1', userId: 'u1' }]);
  });
});

const body = { destinationProjectId: 'p1' };

describe('PUT /api/v1/workflows/:id/transfer', () => {
  it('moves the workflow, and is 400 without a destination', async () => {
    expect((await gateway.api('PUT', '/workflows/w1/transfer', { body })).json).toEqual(DONE);
    expect(requestsOf('transferWorkflow')).toEqual([{ workflowId: 'w1', projectId: 'p1' }]);
    expect((await gateway.api('PUT', '/workflows/w1/transfer', { body: {} })).status).toBe(400);
  });
});

describe('PUT /api/v1/variables/:id/transfer', () => {
  it('moves the variable', async () => {
    expect((await gateway.api('PUT', '/variables/v1/transfer', { body })).json).toEqual(DONE);
    expect(requestsOf('transferVariable')).toEqual([{ variableId: 'v1', projectId: 'p1' }]);
  });
});

describe('PUT /api/v1/data-tables/:id/transfer', () => {
  it('moves the table', async () => {
    expect((await gateway.api('PUT', '/data-tables/t1/transfer', { body })).json).toEqual(DONE);
    expect(requestsOf('transferDataTable')).toEqual([{ dataTableId: 't1', projectId: 'p1' }]);
  });
});

describe('PUT /api/v1/credentials/:id/transfer', () => {
  it('moves the credential', async () => {
    expect((await gateway.api('PUT', '/credentials/c1/transfer', { body })).json).toEqual(DONE);
    expect(requestsOf('transferCredential')).toEqual([{ credentialId: 'c1', projectId: 'p1' }]);
  });
});
