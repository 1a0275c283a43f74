import { Role } from '@weft/proto/identity';
import { KEYS } from '../peers/identity';
import { INVITATION_TOKEN } from '../peers/users';
import { consolePageOf } from '../support/console-page';
import { type Ask, startGateway, type TestGateway } from '../support/start-gateway';

const shown = {
  id: 'u1',
  email: 'ada@example.test',
  name: '',
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
  it('returns the user, and 404 with the id of an unknown one', async () => {
    expect((await gateway.api('GET', '/users/u1')).json).toEqual({ data: shown });
    const { status, json } = await gateway.api('GET', '/users/none');
    expect([status, json.error?.details]).toEqual([404, { userId: 'none' }]);
  });
});

describe('POST /api/v1/users', () => {
  it('responds with 201 and the user, and never shows the password', async () => {
    const body = { email: 'b@example.test', password: 'a password of enough letters', role: 'admin' };
    const { status, json, headers, text } = await gateway.api('POST', '/users', { body });
    expect([status, headers.get('location')]).toEqual([201, '/api/v1/users/u2']);
    expect(json.data).toEqual({ ...shown, id: 'u2', email: body.email, role: 'admin' });
    expect(text).not.toContain(body.password);
    expect(requestsOf('createUser')).toEqual([{ ...body, role: Role.ROLE_ADMIN }]);
  });

  it('is 400 with every missing or unknown field and an invalid role', async () => {
    const { status, json } = await gateway.api('POST', '/users', { body: { email: 1, role: 'king', x: 1 } });
    expect([status, json.error?.details]).toMatchObject([
      400,
      { fields: [{ field: 'x' }, { field: 'password' }, { field: 'email' }, { field: 'role' }] },
    ]);
  });
});

describe('PUT /api/v1/users/:id', () => {
  it('changes the role, and accepts a response of GET', async () => {
    const { status, json } = await gateway.api('PUT', '/users/u1', { body: { ...shown, role: 'viewer' } });
    expect([status, json]).toEqual([200, { data: { ...shown, role: 'viewer' } }]);
  });
});

describe('DELETE /api/v1/users/:id', () => {
  it("passes on the recipient of the user's objects", async () => {
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
  it('is open to every user: the service decides which sessions', async () => {
    const { status, json } = await gateway.api('POST', '/users/u1/sign-out', { key: KEYS.viewer });
    expect([status, json.data]).toEqual([200, { success: true }]);
    expect(requestsOf('signOutUser')).toEqual([{ userId: 'u1' }]);
  });
});

describe('GET /api/v1/users/:id/keys', () => {
  it('returns the keys without values', async () => {
    const { json } = await gateway.api('GET', '/users/u1/keys');
    expect(json.data).toEqual([
      { id: 'k1', name: 'one', createdAt: shown.createdAt, expiresAt: null, scopes: null, lastUsedAt: null },
    ]);
  });
});

describe('DELETE /api/v1/users/:id/keys/:keyId', () => {
  it('deletes the key of that user', async () => {
    expect((await gateway.api('DELETE', '/users/u1/keys/k1')).json.data).toEqual({ success: true });
    expect(requestsOf('deleteUserApiKey')).toEqual([{ userId: 'u1', apiKeyId: 'k1' }]);
  });
});

describe('POST /api/v1/users/:id/reset-password', () => {
  it('responds with 201 and a token that is shown once', async () => {
    const { status, json } = await gateway.api('POST', '/users/u1/reset-password');
    expect([status, json.data]).toMatchObject([201, { email: shown.email, userId: 'u1', token: INVITATION_TOKEN }]);
  });
});

describe('GET /api/v1/invitations', () => {
  it('returns them without their tokens', async () => {
    const { json, text } = await gateway.api('GET', '/invitations');
    expect(json.data).toEqual([
      {
        id: 'i1',
        email: 'new@example.test',
        role: 'editor',
        createdBy: 'user-1',
        createdAt: '2026-01-02T03:04:05.678Z',
        expiresAt: '2026-01-09T03:04:05.678Z',
        userId: null,
      },
    ]);
    expect(text).not.toContain(INVITATION_TOKEN);
  });
});

describe('POST /api/v1/invitations', () => {
  it('responds with 201, the token and the path of the page that accepts it', async () => {
    const body = { email: 'b@example.test', role: 'viewer' };
    const { status, json } = await gateway.api('POST', '/invitations', { body });
    expect([status, json.data]).toMatchObject([
      201,
      { ...body, token: INVITATION_TOKEN, path: `/settings/#invitation=${INVITATION_TOKEN}` },
    ]);
  });
});

describe('DELETE /api/v1/invitations/:id', () => {
  it('reports success', async () => {
    expect((await gateway.api('DELETE', '/invitations/i1')).json.data).toEqual({ success: true });
  });
});

describe('the console for invited people', () => {
  const page = (method: string, path: string, params: Ask = {}) => consolePageOf(gateway).page(method, path, params);

  it('admits an invited person without a session, limited by client address', async () => {
    const asked = await page('POST', '/invitation', { body: { token: INVITATION_TOKEN } });
    expect([asked.status, asked.json.data]).toMatchObject([200, { email: 'new@example.test' }]);
    const body = { token: INVITATION_TOKEN, name: 'Ada', password: 'a long enough password' };
    const { status, headers } = await page('POST', '/invitation/accept', { body });
    expect([status, headers.getSetCookie()[0]]).toEqual([201, expect.stringContaining('weft_session=')]);
    expect(requestsOf('acceptInvitation')).toEqual([{ ...body, clientAddress: '127.0.0.1' }]);
  });

  it('is 404 for an invalid token, without revealing anything about it', async () => {
    const { status, text } = await page('POST', '/invitation', { body: { token: 'guessed' } });
    expect([status, text]).toEqual([404, expect.not.stringContaining('guessed')]);
  });
});
