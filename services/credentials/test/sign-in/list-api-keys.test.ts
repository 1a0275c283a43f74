import { startService, type TestService } from '../support/service-under-test';

describe('ListApiKeys', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('lists the caller’s own keys, newest first, without their values', async () => {
    const user = await service.addUser('viewer');
    const { apiKeys } = service.as('gateway');
    const values: string[] = [];
    for (const name of ['first', 'second', 'third'])
      values.push((await apiKeys.createApiKey({ name, scopes: [] }, { principal: user })).value);
    const answer = await apiKeys.listApiKeys({}, { principal: user });
    expect(answer.apiKeys.map(({ name }) => name)).toEqual(['third', 'second', 'first']);
    for (const value of values) expect(JSON.stringify(answer)).not.toContain(value.slice(5, 40));
    const ofOwner = await apiKeys.listApiKeys({}, { principal: service.owner });
    expect(ofOwner.apiKeys.map(({ name }) => name)).toEqual(['WEFT_OWNER_API_KEY']);
  });

  it('refuses a service without a user', async () => {
    await expect(service.as('gateway').apiKeys.listApiKeys({})).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
