import { KEYS, PERSON } from '../peers/identity';
import { startGateway, type TestGateway } from '../support/start-gateway';

describe('GET /api/v1/me', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway();
  });
  afterEach(() => gateway.stop());

  it('returns the user, the key of the request and the projects', async () => {
    const { status, json } = await gateway.api('GET', '/me', { key: KEYS.editor });
    expect([status, json.data]).toEqual([
      200,
      {
        user: { id: 'user-3', email: 'me@example.test', name: 'Me', role: 'editor' },
        key: { id: `key of ${KEYS.editor}`, name: 'ci', expiresAt: null, scopes: null },
        projects: [{ id: 'p1', name: 'Billing', role: 'admin', closed: true }],
        permissions: [
          'workflows:read',
          'executions:read',
          'keys:own',
          'workflows:write',
          'executions:write',
          'projects:manage',
          'credentials:read',
          'credentials:write',
        ],
        release: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      },
    ]);
  });

  it('has no key for a caller with a password', async () => {
    const basic = Buffer.from(`${PERSON.email}:${PERSON.password}`).toString('base64');
    const { json } = await gateway.api('GET', '/me', { key: null, headers: { authorization: `Basic ${basic}` } });
    expect(json.data).toMatchObject({ user: { id: 'user-1' }, key: null });
  });

  it('requires authentication', async () => {
    expect((await gateway.api('GET', '/me', { key: 'weft_wrong' })).status).toBe(401);
  });
});

describe('GET /api/v1/version', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway({ BUILD_COMMIT: 'abc123' });
  });
  afterEach(() => gateway.stop());

  it('returns release and commit of the gateway, to a key with any scope', async () => {
    gateway.identity.limited.set(KEYS.viewer, ['executions:read']);
    const { status, json } = await gateway.api('GET', '/version', { key: KEYS.viewer });
    expect([status, json.data]).toEqual([200, { release: expect.stringMatching(/^\d+\.\d+\.\d+$/), commit: 'abc123' }]);
  });

  it('requires authentication', async () => {
    expect((await gateway.api('GET', '/version', { key: null })).status).toBe(401);
  });
});
