import { OWNER, startService, type TestService } from '../support/service-under-test';

const NEXT = 'another long password';

describe('ChangePassword', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  const sessions = () => service.as('gateway').sessions;
  const signIn = async (password: string = OWNER.password): Promise<string> =>
    (await sessions().signIn({ email: OWNER.email, password, clientAddress: '' })).sessionToken;
  const change = (sessionToken: string, currentPassword: string = OWNER.password, newPassword = NEXT) =>
    sessions().changePassword({ sessionToken, currentPassword, newPassword, clientAddress: '203.0.113.9' });
  const verify = async (sessionToken: string) => (await sessions().verifySession({ sessionToken })).user?.email;

  it('ends all sessions, opens one for the caller, and lets only the new password in', async () => {
    const [own, elsewhere] = [await signIn(), await signIn()];
    const opened = await change(own);
    expect(await verify(opened.sessionToken)).toBe(OWNER.email);
    for (const ended of [own, elsewhere]) await expect(verify(ended)).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
    await expect(signIn()).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
    expect(await verify(await signIn(NEXT))).toBe(OWNER.email);
    const records = await service.database.connection
      .collection('audit')
      .find({ action: 'user.set-password' })
      .toArray();
    expect(records).toMatchObject([{ actor: service.owner.userId, about: { userId: service.owner.userId } }]);
    expect(JSON.stringify(records)).not.toContain(NEXT);
  });

  it('changes nothing without the current password, and names the field', async () => {
    const own = await signIn();
    await expect(change(own, 'a wrong long password')).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      message: 'The current password is wrong.',
      fields: [{ field: 'currentPassword' }],
    });
    expect(await verify(own)).toBe(OWNER.email);
    expect(await verify(await signIn())).toBe(OWNER.email);
  });

  it.each([['short'], ['x'.repeat(201)], [OWNER.password]])('refuses the new password %p', async (next) => {
    await expect(change(await signIn(), OWNER.password, next)).rejects.toMatchObject({
      fields: [{ field: 'newPassword' }],
    });
  });

  it('limits the guesses of a person with a stolen session like failed sign-ins', async () => {
    const own = await signIn();
    const reasons: string[] = [];
    for (let n = 0; n < 15 && !reasons.includes('TOO_MANY_SIGN_INS'); n += 1)
      await change(own, `a wrong password ${n}`).catch((error: { reason: string }) => reasons.push(error.reason));
    expect(reasons.at(-1)).toBe('TOO_MANY_SIGN_INS');
  });

  it('needs a session that has not ended, and is restricted to the gateway', async () => {
    const own = await signIn();
    await sessions().signOut({ sessionToken: own });
    await expect(change(own)).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
    await expect(
      service.as('runner').sessions.changePassword({
        sessionToken: own,
        currentPassword: OWNER.password,
        newPassword: NEXT,
        clientAddress: '',
      }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
