import { OWNER, startService, type TestService } from './service-under-test';

describe('SignOut', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('ends the session and no other, and may be repeated', async () => {
    const { sessions } = service.as('gateway');
    const ended = (await sessions.signIn({ ...OWNER, clientAddress: '' })).sessionToken;
    const kept = (await sessions.signIn({ ...OWNER, clientAddress: '' })).sessionToken;
    await sessions.signOut({ sessionToken: ended });
    await sessions.signOut({ sessionToken: ended });
    await sessions.signOut({ sessionToken: 'nonsense' });
    await expect(sessions.verifySession({ sessionToken: ended })).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
    await expect(sessions.verifySession({ sessionToken: kept })).resolves.toBeDefined();
  });

  it('is for the gateway alone', async () => {
    await expect(service.as('runner').sessions.signOut({ sessionToken: 'x' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
