import { Role } from '@weft/proto/identity';
import { KEYS } from './peers/identity';
import { startGateway, type TestGateway } from './start-gateway';

const shown = {
  id: 'u1',
  email: 'ada@example.test',
  role: 'editor',
  createdAt: '2026-01-02T03:04:05.678Z',
  lockedAt: null,
};

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  gateway.identity.addUser(shown.email, Role.ROLE_EDITOR);
});
afterEach(() => gateway.stop());

const requestsOf = (method: string): unknown[] => gateway.identity.callsOf(method).map(({ request }) => request);

describe('GET /api/v1/users', () => {
  it('returns all of them, and a page on request', async () => {
    expect((await gateway.api('GET', '/users')).json).toEqual({ data: [shown] });
    gateway.identity.addUser('b@example.test', Role.ROLE_VIEWER);
    expect((await gateway.api('GET', '/users?limit=1')).json).toMatchObject({ data: [{ id: 'u2' }], nextCursor: '1' });
  });

  it('is 403 for an editor', async () => {
    expect((await gateway.api('GET', '/users', { key: KEYS.editor })).status).toBe(403);
  });
});

describe('GET /api/v1/users/:id', () => {
  it('returns the user, and 404 with the id of one that does not exist', async () => {
    expect((await gateway.api('GET', '/users/u1')).json).toEqual({ data: shown });
    const { status, json } = await gateway.api('GET', '/users/none');
    expect([status, json.error?.details]).toEqual([404, { userId: 'none' }]);
  });
});

describe('POST /api/v1/users', () => {
  it('answers 201 with the user and never shows the password', async () => {
    const body = { email: 'b@example.test', password: 'a password of enough letters', role: 'admin' };
    const { status, json, headers, text } = await gateway.api('POST', '/users', { body });
    expect([status, headers.get('location')]).toEqual([201, '/api/v1/users/u2']);
    expect(json.data).toEqual({ ...shown, id: 'u2', email: body.email, role: 'admin' });
    expect(text).not.toContain(body.password);
    expect(requestsOf('createUser')).toEqual([{ ...body, role: Role.ROLE_ADMIN }]);
  });

  it('is 400 with every field that is missing, unknown or no role', async () => {
    const { status, json } = await gateway.api('POST', '/users', { body: { email: 1, role: 'king', x: 1 } });
    expect([status, json.error?.details]).toMatchObject([
      400,
      { fields: [{ field: 'x' }, { field: 'password' }, { field: 'email' }, { field: 'role' }] },
    ]);
  });
});

describe('PUT /api/v1/users/:id', () => {
  it('changes the role, and accepts the answer of GET', async () => {
    const { status, json } = await gateway.api('PUT', '/users/u1', { body: { ...shown, role: 'viewer' } });
    expect([status, json]).toEqual([200, { data: { ...shown, role: 'viewer' } }]);
  });
});

describe('DELETE /api/v1/users/:id', () => {
  it('passes on who gets what the user owns', async () => {
    expect((await gateway.api('DELETE', '/users/u1?transferTo=u7')).json).toEqual({ data: { success: true } });
    expect(requestsOf('deleteUser')).toEqual([{ userId: 'u1', transferTo: 'u7' }]);
    expect((await gateway.api('DELETE', '/users/u1')).status).toBe(404);
  });
});

describe('POST /api/v1/users/:id/lock', () => {
  it('shows since when the user is locked', async () => {
    const { json } = await gateway.api('POST', '/users/u1/lock');
    expect(json.data).toEqual({ ...shown, lockedAt: '2026-02-03T00:00:00.000Z' });
  });
});

describe('POST /api/v1/users/:id/unlock', () => {
  it('shows the user without a lock', async () => {
    await gateway.api('POST', '/users/u1/lock');
    expect((await gateway.api('POST', '/users/u1/unlock')).json.data).toEqual(shown);
  });
});

describe('POST /api/v1/users/:id/sign-out', () => {
  it('is open to every user: the service decides whose sessions', async () => {
    const { status, json } = await gateway.api('POST', '/users/u1/sign-out', { key: KEYS.viewer });
    expect([status, json.data]).toEqual([200, { success: true }]);
    expect(requestsOf('signOutUser')).toEqual([{ userId: 'u1' }]);
  });
});

describe('GET /api/v1/users/:id/keys', () => {
  it('returns the keys without values', async () => {
    const { json } = await gateway.api('GET', '/users/u1/keys');
    expect(json.data).toEqual([{ id: 'k1', name: 'one', createdAt: shown.createdAt }]);
  });
});

describe('DELETE /api/v1/users/:id/keys/:ref', () => {
  it('deletes the key of that user', async () => {
    expect((await gateway.api('DELETE', '/users/u1/keys/k1')).json.data).toEqual({ success: true });
    expect(requestsOf('deleteUserApiKey')).toEqual([{ userId: 'u1', apiKeyId: 'k1' }]);
  });
});
