import { OWNER, PASSWORD, startService, type TestService } from '../support/service-under-test';

const HOUR_MS = 3_600_000;

describe('SignIn', () => {
  let service: TestService;
  const signIn = (email: string, password: string, clientAddress = '192.0.2.1') =>
    service.as('gateway').sessions.signIn({ email, password, clientAddress });
  const outcomeOf = (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => 'in',
      (error: unknown) => error,
    );

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('opens a session of twelve hours whose token is not stored', async () => {
    const { sessionToken, expiresAt, user } = await signIn(OWNER.email, OWNER.password);
    expect(user).toMatchObject({ id: service.owner.userId, email: OWNER.email, role: 1 });
    expect(sessionToken).toMatch(/^[\w-]{43}$/);
    expect(Math.abs((expiresAt?.getTime() ?? 0) - Date.now() - 12 * HOUR_MS)).toBeLessThan(10_000);
    const stored = await service.database.connection.collection('sessions').find({}).toArray();
    expect(JSON.stringify(stored)).not.toContain(sessionToken);
  });

  it('returns the same error for a wrong password and an unknown account', async () => {
    const known = await outcomeOf(signIn(OWNER.email, 'wrong'));
    const unknown = await outcomeOf(signIn('nobody@example.test', 'wrong'));
    expect(known).toMatchObject({ reason: 'UNAUTHORIZED', message: 'Email or password is wrong.' });
    expect(unknown).toEqual(known);
  });

  it('audits failures without the typed values', async () => {
    await outcomeOf(signIn('typed-into-the-wrong-field', 'planted-password', '198.51.100.7'));
    const records = await service.database.connection
      .collection('audit')
      .find({ action: 'sign-in.failed', 'about.address': '198.51.100.7' })
      .toArray();
    expect(records).toHaveLength(1);
    expect(JSON.stringify(records)).not.toMatch(/typed-into|planted/);
  });

  it.each([
    ['an account that exists', true],
    ['an account that does not exist', false],
  ])('blocks %s after ten failures in a minute', async (_, exists) => {
    const email = exists ? (await service.addUser('editor')).email : 'no-account@example.test';
    await Promise.all(Array.from({ length: 10 }, () => outcomeOf(signIn(email, 'wrong'))));
    expect(await outcomeOf(signIn(email, PASSWORD))).toMatchObject({
      reason: 'TOO_MANY_SIGN_INS',
      kind: 'limited',
      retryAfterSeconds: 60,
    });
  });

  it('unblocks after the announced time, and resets the failures after a success', async () => {
    const { email } = await service.addUser('editor');
    await Promise.all(Array.from({ length: 11 }, () => outcomeOf(signIn(email, 'wrong'))));
    service.passTime(61_000);
    await signIn(email, PASSWORD);
    await Promise.all(Array.from({ length: 9 }, () => outcomeOf(signIn(email, 'wrong'))));
    await expect(signIn(email, PASSWORD)).resolves.toBeDefined();
  });

  it('retains the newest twenty sessions of a user', async () => {
    const { email } = await service.addUser('viewer');
    const tokens: string[] = [];
    for (let session = 0; session < 21; session += 1) tokens.push((await signIn(email, PASSWORD)).sessionToken);
    const { sessions } = service.as('gateway');
    await expect(sessions.verifySession({ sessionToken: tokens[0] ?? '' })).rejects.toMatchObject({
      reason: 'UNAUTHORIZED',
    });
    for (const sessionToken of [tokens[1], tokens[20]])
      await expect(sessions.verifySession({ sessionToken: sessionToken ?? '' })).resolves.toBeDefined();
  });

  it('is restricted to the gateway', async () => {
    await expect(service.as('runner').sessions.signIn({ ...OWNER, clientAddress: '' })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      service.as('gateway').sessions.signIn({ ...OWNER, clientAddress: '' }, { principal: service.owner }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
