import { OWNER, startService, type TestService } from '../support/service-under-test';

describe('SignOut', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('ends only that session, and is idempotent', async () => {
    const { sessions } = service.as('gateway');
    const ended = (await sessions.signIn({ ...OWNER, clientAddress: '' })).sessionToken;
    const other = (await sessions.signIn({ ...OWNER, clientAddress: '' })).sessionToken;
    await sessions.signOut({ sessionToken: ended });
    await sessions.signOut({ sessionToken: ended });
    await sessions.signOut({ sessionToken: 'nonsense' });
    await expect(sessions.verifySession({ sessionToken: ended })).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
    await expect(sessions.verifySession({ sessionToken: other })).resolves.toBeDefined();
    const records = service.database.connection.collection('audit').find({ action: 'user.sign-out' });
    expect(await records.toArray()).toMatchObject([{ actor: service.owner.userId, outcome: 'done' }]);
  });

  it('is restricted to the gateway', async () => {
    await expect(service.as('runner').sessions.signOut({ sessionToken: 'x' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
