import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from '../support/service-under-test';

describe('DeleteApiKey', () => {
  let service: TestService;
  const verify = (value: string, replica: Pick<TestService, 'as'> = service) =>
    replica.as('gateway').apiKeys.verifyApiKey({ proof: { $case: 'apiKey', value }, count: 1 });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('makes the key fail on the next call, at every replica, even under load', async () => {
    const other = await service.startReplica();
    const { apiKeys } = service.as('gateway');
    for (let round = 0; round < 10; round += 1) {
      const { apiKey, value } = await apiKeys.createApiKey(
        { name: 'short-lived', scopes: [] },
        { principal: service.owner },
      );
      const before = await Promise.all(
        Array.from({ length: 20 }, (_, index) => verify(value, index % 2 === 0 ? service : other)),
      );
      expect(before).toHaveLength(20);
      await apiKeys.deleteApiKey({ apiKeyId: apiKey?.id ?? '' }, { principal: service.owner });
      for (const replica of [other, service])
        await expect(verify(value, replica)).rejects.toMatchObject({ reason: 'UNAUTHORIZED', kind: 'unauthenticated' });
    }
  });

  it('does not find a deleted key or the key of another user', async () => {
    const [one, other] = [await service.addUser('admin'), await service.addUser('editor')];
    const { apiKeys } = service.as('gateway');
    const { apiKey, value } = await apiKeys.createApiKey({ name: 'n', scopes: [] }, { principal: one });
    const apiKeyId = apiKey?.id ?? '';
    await expect(apiKeys.deleteApiKey({ apiKeyId }, { principal: other })).rejects.toMatchObject({
      reason: 'API_KEY_NOT_FOUND',
      details: { apiKeyId },
    });
    await expect(verify(value)).resolves.toBeDefined();
    await apiKeys.deleteApiKey({ apiKeyId }, { principal: one });
    await expect(apiKeys.deleteApiKey({ apiKeyId }, { principal: one })).rejects.toMatchObject({
      reason: 'API_KEY_NOT_FOUND',
    });
    for (const missing of [uuidv7(), 'nonsense', ''])
      await expect(apiKeys.deleteApiKey({ apiKeyId: missing }, { principal: one })).rejects.toMatchObject({
        reason: 'API_KEY_NOT_FOUND',
      });
  });

  it('writes an audit record', async () => {
    const { apiKeys } = service.as('gateway');
    const { apiKey } = await apiKeys.createApiKey({ name: 'n', scopes: [] }, { principal: service.owner });
    await apiKeys.deleteApiKey({ apiKeyId: apiKey?.id ?? '' }, { principal: service.owner });
    expect(
      await service.database.connection
        .collection('audit')
        .findOne({ action: 'api-key.delete', 'about.apiKeyId': apiKey?.id }),
    ).toMatchObject({ actor: service.owner.userId });
  });
});
