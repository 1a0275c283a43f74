import { makeKeyValue } from '../../src/domain/api-keys/key-format';
import { newMasterKey, OWNER, startService, type Replica, type TestService } from '../support/service-under-test';

describe('the first owner', () => {
  let service: TestService;
  const verify = (value: string, replica: Replica = service) =>
    replica.as('gateway').apiKeys.verifyApiKey({ proof: { $case: 'apiKey', value }, count: 1 });
  const namesOfKeys = async (): Promise<string[]> =>
    (await service.as('gateway').apiKeys.listApiKeys({}, { principal: service.owner })).apiKeys.map(({ name }) => name);
  const owners = () => service.database.connection.collection('users').countDocuments({ role: 'owner' });

  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  it('is created once with one key, however many replicas start, concurrently or later', async () => {
    // The time of the last use is stored a little later.
    const list = async () =>
      (await service.as('gateway').apiKeys.listApiKeys({}, { principal: service.owner })).apiKeys.map((key) => ({
        ...key,
        lastUsedAt: undefined,
      }));
    const made = await list();
    await Promise.all(Array.from({ length: 4 }, () => service.startReplica()));
    await service.startReplica();
    expect(await owners()).toBe(1);
    expect(made.map(({ name }) => name)).toEqual(['WEFT_OWNER_API_KEY']);
    expect(await list()).toEqual(made);
    await expect(verify(service.ownerApiKey)).resolves.toMatchObject({ userId: service.owner.userId, role: 1 });
  });

  it('is created once by replicas racing on an empty database', async () => {
    await service.database.connection.dropDatabase();
    const replicas = await Promise.all(Array.from({ length: 4 }, () => service.startReplica()));
    expect(await owners()).toBe(1);
    expect(await service.database.connection.collection('apiKeys').countDocuments()).toBe(1);
    for (const replica of replicas)
      await expect(verify(service.ownerApiKey, replica)).resolves.toMatchObject({ email: OWNER.email });
  });

  it('retains email and password when the configuration changes', async () => {
    const replica = await service.startReplica({
      WEFT_OWNER_EMAIL: 'other@example.test',
      WEFT_OWNER_PASSWORD: 'another long password',
    });
    expect(await owners()).toBe(1);
    await expect(replica.as('gateway').sessions.signIn({ ...OWNER, clientAddress: '' })).resolves.toMatchObject({
      user: { id: service.owner.userId },
    });
    await expect(
      replica
        .as('gateway')
        .sessions.signIn({ email: 'other@example.test', password: 'another long password', clientAddress: '' }),
    ).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
  });

  it('gets a changed key instead of the previous one, and retains the keys created over the API', async () => {
    const own = await service
      .as('gateway')
      .apiKeys.createApiKey({ name: 'own', scopes: [] }, { principal: service.owner });
    const changed = makeKeyValue();
    await service.startReplica({ WEFT_OWNER_API_KEY: changed });
    await expect(verify(service.ownerApiKey)).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
    for (const value of [changed, own.value])
      await expect(verify(value)).resolves.toMatchObject({ userId: service.owner.userId });
    expect((await namesOfKeys()).sort()).toEqual(['WEFT_OWNER_API_KEY', 'own']);
  });

  it('retains the key when the master key is rotated', async () => {
    const [old, fresh] = [newMasterKey('old'), newMasterKey('fresh')];
    await service.startReplica({ MASTER_KEY: old });
    await service.startReplica({ MASTER_KEY: fresh, MASTER_KEY_PREVIOUS: old });
    const after = await service.startReplica({ MASTER_KEY: fresh });
    await expect(verify(service.ownerApiKey, after)).resolves.toMatchObject({ userId: service.owner.userId });
    expect(await namesOfKeys()).toEqual(['WEFT_OWNER_API_KEY']);
  });

  it('is optional', async () => {
    await service.database.connection.collection('users').deleteMany({});
    await service.startReplica({ WEFT_OWNER_EMAIL: '', WEFT_OWNER_PASSWORD: '', WEFT_OWNER_API_KEY: '' });
    expect(await owners()).toBe(0);
  });
});
