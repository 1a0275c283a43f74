import { startService, type TestService } from './service-under-test';

describe('CreateApiKey', () => {
  let service: TestService;
  const create = (
    name: string,
    principal: { userId: string; role: 'owner' | 'admin' | 'editor' | 'viewer' } = service.owner,
  ) => service.as('gateway').apiKeys.createApiKey({ name }, { principal });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('creates a key that is valid immediately, with the role of its user', async () => {
    for (const role of ['admin', 'editor', 'viewer'] as const) {
      const user = await service.addUser(role);
      const { apiKey, value } = await create('mine', user);
      expect(apiKey).toEqual({ id: expect.any(String), name: 'mine', createdAt: expect.any(Date) });
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

  it('refuses an empty name and one of more than 100 characters', async () => {
    for (const name of ['', '  ', 'n'.repeat(101)])
      await expect(create(name)).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field: 'name' }] });
    await expect(create('n'.repeat(100))).resolves.toBeDefined();
  });

  it('limits a user to 100 keys, under concurrency too, and allows another one after a deletion', async () => {
    const user = await service.addUser('editor');
    const made = [];
    while (made.length < 95) made.push(await create(`k${made.length}`, user));
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => create(`last ${index}`, user)));
    const refusals = outcomes.flatMap((outcome): unknown[] => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refusals).toHaveLength(7);
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ reason: 'TOO_MANY_API_KEYS', kind: 'precondition' });
    const { apiKeys } = await service.as('gateway').apiKeys.listApiKeys({}, { principal: user });
    expect(apiKeys).toHaveLength(100);
    await service.as('gateway').apiKeys.deleteApiKey({ apiKeyId: apiKeys[0]?.id ?? '' }, { principal: user });
    await expect(create('again', user)).resolves.toBeDefined();
  });

  it('refuses a service without a user', async () => {
    await expect(service.as('gateway').apiKeys.createApiKey({ name: 'n' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      service.as('runner').apiKeys.createApiKey({ name: 'n' }, { principal: service.owner }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
