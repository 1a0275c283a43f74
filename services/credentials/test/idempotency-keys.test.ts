import { Role } from '@weft/proto/identity';
import { startService, type TestService } from './support/service-under-test';

describe('a creation with an idempotency key', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const owner = () => ({ principal: service.owner });

  it('creates one API key, whose value is neither stored nor shown again', async () => {
    const { apiKeys } = service.as('gateway');
    const request = { name: 'once', scopes: [], idempotencyKey: 'k' };
    const { apiKey, value } = await apiKeys.createApiKey(request, owner());
    await expect(apiKeys.createApiKey(request, owner())).rejects.toMatchObject({
      reason: 'RESPONSE_NOT_REPEATED',
      kind: 'conflict',
      details: { apiKeyId: apiKey?.id },
    });
    const listed = (await apiKeys.listApiKeys({}, owner())).apiKeys.filter(({ name }) => name === 'once');
    expect(listed.map(({ id }) => id)).toEqual([apiKey?.id]);
    const stored = await service.database.connection.collection('idempotencyKeys').find({}).toArray();
    expect(JSON.stringify(stored)).not.toContain(value.slice(5, 40));
    expect(stored.every((document) => document['response'] === undefined)).toBe(true);
  });

  it('creates one invitation, without repeating its token', async () => {
    const { invitations } = service.as('gateway');
    const request = { email: 'once@weft.test', role: Role.ROLE_EDITOR, idempotencyKey: 'i' };
    const { invitation } = await invitations.createInvitation(request, owner());
    await expect(invitations.createInvitation(request, owner())).rejects.toMatchObject({
      reason: 'RESPONSE_NOT_REPEATED',
      details: { invitationId: invitation?.id },
    });
  });

  it('creates one credential, project and user, and returns the same response', async () => {
    const { credentials, projects, users } = service.as('gateway');
    const credential = { name: 'c', type: 'httpHeaderAuth', dataJson: '{"name":"X","value":"v"}', idempotencyKey: 'c' };
    const project = { name: 'p', closed: false, idempotencyKey: 'p' };
    const user = { email: 'u@weft.test', password: 'a long password', role: Role.ROLE_VIEWER, idempotencyKey: 'u' };
    expect(await credentials.createCredential(credential, owner())).toEqual(
      await credentials.createCredential(credential, owner()),
    );
    expect(await projects.createProject(project, owner())).toEqual(await projects.createProject(project, owner()));
    expect(await users.createUser(user, owner())).toEqual(await users.createUser(user, owner()));
    await expect(
      credentials.createCredential({ ...credential, dataJson: '{"name":"X","value":"other"}' }, owner()),
    ).rejects.toMatchObject({ reason: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('stores nothing from which a password could be guessed without the master key', async () => {
    const { users } = service.as('gateway');
    const request = { email: 'g@weft.test', password: 'guessable 123', role: Role.ROLE_VIEWER, idempotencyKey: 'g' };
    const other = await startService();
    try {
      await users.createUser(request, owner());
      await other.as('gateway').users.createUser(request, { principal: other.owner });
      const hashesOf = async ({ database }: TestService) =>
        (await database.connection.collection('idempotencyKeys').find({}).toArray()).map(
          ({ requestHash }) => requestHash,
        );
      const known = new Set(await hashesOf(service));
      expect((await hashesOf(other)).filter((hash) => known.has(hash))).toEqual([]);
    } finally {
      await other.stop();
    }
  });
});
