import { randomUUID } from 'node:crypto';
import { connectDatabase } from '@weft/service-kit/mongo';
import { testMongodbUri } from '@weft/service-kit/testing';
import { createApiKeyStore } from '../../src/store/api-key-store';
import { startService, type TestService } from '../support/service-under-test';

describe('CreateApiKey', () => {
  let service: TestService;
  const create = (
    name: string,
    principal: { userId: string; role: 'owner' | 'admin' | 'editor' | 'viewer' } = service.owner,
  ) => service.as('gateway').apiKeys.createApiKey({ name, scopes: [] }, { principal });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('creates a key that is valid immediately, with the role of its user', async () => {
    for (const role of ['admin', 'editor', 'viewer'] as const) {
      const user = await service.addUser(role);
      const { apiKey, value } = await create('mine', user);
      expect(apiKey).toEqual({ id: expect.any(String), name: 'mine', createdAt: expect.any(Date), scopes: [] });
      expect(value).toMatch(/^weft_[0-9a-f]{64}[0-9a-f]{4}$/);
      const verified = await service
        .as('gateway')
        .apiKeys.verifyApiKey({ proof: { $case: 'apiKey', value }, count: 1 });
      expect(verified).toMatchObject({
        userId: user.userId,
        email: user.email,
        role: { admin: 2, editor: 3, viewer: 4 }[role],
      });
    }
  });

  it('does not store the value', async () => {
    const { value } = await create('secret');
    const stored = await service.database.connection.collection('apiKeys').find({}).toArray();
    expect(JSON.stringify(stored)).not.toContain(value.slice(5, 40));
  });

  it('writes an audit record', async () => {
    const { apiKey } = await create('recorded');
    expect(
      await service.database.connection
        .collection('audit')
        .findOne({ action: 'api-key.create', 'about.apiKeyId': apiKey?.id }),
    ).toMatchObject({ actor: service.owner.userId });
  });

  it('limits a key to scopes: without duplicates, with the read scopes that writing needs', async () => {
    const { apiKeys } = service.as('gateway');
    const scopes = ['executions:write', 'workflows:read', 'workflows:read'];
    const { apiKey, value } = await apiKeys.createApiKey({ name: 'n', scopes }, { principal: service.owner });
    const granted = ['workflows:read', 'executions:read', 'executions:write'];
    expect(apiKey?.scopes).toEqual(granted);
    const proof = { $case: 'apiKey' as const, value };
    expect((await apiKeys.verifyApiKey({ proof, count: 1, knowsScopes: true })).scopes).toEqual(granted);
    // A caller that does not know scopes would grant everything the role permits.
    await expect(apiKeys.verifyApiKey({ proof, count: 1 })).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
  });

  it('refuses scopes that are unknown, or more than the role of the user permits', async () => {
    const viewer = await service.addUser('viewer');
    const { apiKeys } = service.as('gateway');
    await expect(
      apiKeys.createApiKey({ name: 'n', scopes: ['workflows:read', 'workflows:write', 'all'] }, { principal: viewer }),
    ).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [
        { field: 'scopes[1]', message: 'is more than the role viewer permits.' },
        { field: 'scopes[2]', message: expect.stringContaining('must be one of workflows:read') },
      ],
    });
    for (const scope of ['keys:own', 'users:manage'])
      await expect(
        apiKeys.createApiKey({ name: 'n', scopes: [scope] }, { principal: service.owner }),
      ).rejects.toMatchObject({ fields: [{ field: 'scopes[0]' }] });
    await expect(
      apiKeys.createApiKey({ name: 'n', scopes: Array(21).fill('workflows:read') }, { principal: viewer }),
    ).rejects.toMatchObject({ fields: [{ field: 'scopes' }] });
  });

  it('refuses an expiry in the past and one in more than ten years', async () => {
    for (const ms of [-1, 0, 3_651 * 86_400_000])
      await expect(
        service
          .as('gateway')
          .apiKeys.createApiKey(
            { name: 'n', scopes: [], expiresAt: new Date(Date.now() + ms) },
            { principal: service.owner },
          ),
      ).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field: 'expiresAt' }] });
  });

  it('refuses a caller whose own key is limited', async () => {
    for (const scopes of [[], ['workflows:read'] as const])
      await expect(
        service
          .as('gateway')
          .apiKeys.createApiKey({ name: 'n', scopes: [] }, { principal: { ...service.owner, scopes } }),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('refuses an empty name and one of more than 100 characters', async () => {
    for (const name of ['', '  ', 'n'.repeat(101)])
      await expect(create(name)).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field: 'name' }] });
    await expect(create('n'.repeat(100))).resolves.toBeDefined();
  });

  it('limits a user to 100 keys, under concurrency too, and allows another one after a deletion', async () => {
    const user = await service.addUser('editor');
    await service.database.connection.collection<{ _id: string }>('apiKeys').insertMany(
      Array.from({ length: 99 }, (_, slot) => {
        const _id = randomUUID();
        return { _id, userId: user.userId, name: 'one', hash: _id, kid: 'k1', slot, createdAt: new Date() };
      }),
    );
    // All compete for the last slot.
    const outcomes = await Promise.allSettled(Array.from({ length: 16 }, (_, index) => create(`last ${index}`, user)));
    const refusals = outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals).toHaveLength(15);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ reason: 'TOO_MANY_API_KEYS', kind: 'precondition' });
    const { apiKeys } = await service.as('gateway').apiKeys.listApiKeys({}, { principal: user });
    expect(apiKeys).toHaveLength(100);
    await service.as('gateway').apiKeys.deleteApiKey({ apiKeyId: apiKeys[0]?.id ?? '' }, { principal: user });
    await expect(create('again', user)).resolves.toBeDefined();
  });

  it('stores keys of one user sequentially, and those of different users concurrently', async () => {
    const { connection, close } = await connectDatabase(testMongodbUri(), service.database.connection.name);
    let underWay = 0;
    let most = 0;
    const { insert } = createApiKeyStore(connection);
    const { collection } = connection.model('ApiKey');
    const send = collection.updateOne.bind(collection);
    jest.spyOn(collection, 'updateOne').mockImplementation(async (...update) => {
      underWay += 1;
      most = Math.max(most, underWay);
      const result = await send(...update);
      underWay -= 1;
      return result;
    });
    const insertFor = async (users: readonly string[]): Promise<number> => {
      most = 0;
      const keys = users.map((userId, slot) => {
        const id = randomUUID();
        return { id, userId, name: 'one', hash: id, kid: 'k1', slot, createdAt: new Date() };
      });
      await Promise.all(keys.map(insert));
      return most;
    };
    const user = randomUUID();
    const [ofOne, ofTwo] = [await insertFor([user, user, user]), await insertFor([randomUUID(), randomUUID()])];
    await close();
    expect([ofOne, ofTwo]).toEqual([1, 2]);
  });

  it('refuses a service without a user', async () => {
    await expect(service.as('gateway').apiKeys.createApiKey({ name: 'n', scopes: [] })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      service.as('runner').apiKeys.createApiKey({ name: 'n', scopes: [] }, { principal: service.owner }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
