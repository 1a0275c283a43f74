import { createHashPassword } from '../../src/domain/users/password';
import { OWNER, PASSWORD, startService, type Replica, type TestService } from '../support/service-under-test';

const REFUSAL = {
  reason: 'UNAUTHORIZED',
  message: 'The API key is missing, malformed, wrong or deleted: send it in the header X-SVC-API-KEY.',
};

describe('VerifyApiKey with user name and password', () => {
  let service: TestService;
  const verifyFrom = (
    clientAddress: string,
    username: string,
    password: string,
    count = 1,
    replica: Replica = service,
  ) =>
    replica
      .as('gateway')
      .apiKeys.verifyApiKey({ proof: { $case: 'basic', value: { username, password, clientAddress } }, count });
  const verify = (username: string, password: string, count = 1, replica: Replica = service) =>
    verifyFrom('', username, password, count, replica);

  beforeAll(async () => {
    // Some tests need checks that take as long as in production.
    service = await startService({ RATE_LIMIT_PER_MINUTE: '1000', BASIC_AUTH: 'on', PASSWORD_COST: '' });
  });
  afterAll(() => service.stop());

  it('returns the user, and counts in one window per user', async () => {
    service.passTime(60_000 - (Date.now() % 60_000));
    const answer = await verify(OWNER.email, OWNER.password, 4);
    expect(answer).toMatchObject({ userId: service.owner.userId, role: 1, granted: 4, limit: 1_000, remaining: 996 });
    expect(await verify(OWNER.email.toUpperCase(), OWNER.password)).toMatchObject({ remaining: 995 });
  });

  it('returns the same error for a wrong password and an unknown name', async () => {
    const user = await service.addUser('editor');
    await expect(verify(user.email, 'wrong')).rejects.toMatchObject(REFUSAL);
    await expect(verify('nobody@example.test', PASSWORD)).rejects.toMatchObject(REFUSAL);
    await expect(verify('', '')).rejects.toMatchObject(REFUSAL);
    await expect(verify(user.email, 'x'.repeat(5_000))).rejects.toMatchObject(REFUSAL);
  });

  it('refuses a previous password immediately after a change, although it is cached', async () => {
    const user = await service.addUser('editor');
    await verify(user.email, PASSWORD);
    await verify(user.email, PASSWORD);
    const passwordHash = await createHashPassword(4)('another long password');
    await service.database.connection
      .collection<{ _id: string }>('users')
      .updateOne({ _id: user.userId }, { $set: { passwordHash } });
    await expect(verify(user.email, PASSWORD)).rejects.toMatchObject(REFUSAL);
    await expect(verify(user.email, 'another long password')).resolves.toMatchObject({ userId: user.userId });
  });

  it('checks a password once for many concurrent requests', async () => {
    const user = await service.addUser('viewer');
    // Far more than may wait for a separate check: each would be refused without sharing.
    const users = await Promise.all(Array.from({ length: 60 }, () => verify(user.email, PASSWORD)));
    expect(new Set(users.map(({ userId }) => userId))).toEqual(new Set([user.userId]));
  });

  it('blocks guesses after ten wrong ones, even concurrently and across replicas, with the same error', async () => {
    const other = await service.startReplica();
    const user = await service.addUser('editor');
    const guesses = await Promise.allSettled(
      Array.from({ length: 14 }, (_, index) =>
        verify(user.email, `guess ${index}`, 1, index % 2 === 0 ? service : other),
      ),
    );
    for (const guess of guesses) expect(guess).toMatchObject({ status: 'rejected', reason: REFUSAL });
    await expect(verify(user.email, PASSWORD)).rejects.toMatchObject(REFUSAL);
    const failures = await service.database.connection
      .collection('audit')
      .countDocuments({ action: 'sign-in.failed', actor: user.userId });
    expect(failures).toBe(10);
    service.passTime(61_000);
    await expect(verify(user.email, PASSWORD)).resolves.toMatchObject({ userId: user.userId });
  });

  it('does not lock out a user whose password a stranger guesses, neither here nor on the sign-in page', async () => {
    const user = await service.addUser('editor');
    await Promise.allSettled(
      Array.from({ length: 14 }, (_, index) => verifyFrom('198.51.100.1', user.email, `guess ${index % 12}`)),
    );
    await expect(verifyFrom('198.51.100.1', user.email, PASSWORD)).rejects.toMatchObject(REFUSAL);
    await expect(verifyFrom('198.51.100.2', user.email, PASSWORD)).resolves.toMatchObject({ userId: user.userId });
    const login = { email: user.email, password: PASSWORD, clientAddress: '198.51.100.3' };
    await expect(service.as('gateway').sessions.signIn(login)).resolves.toBeDefined();
  });

  it('counts the addresses of one IPv6 network as one', async () => {
    const user = await service.addUser('editor');
    for (let guess = 0; guess < 10; guess += 1)
      await expect(verifyFrom(`2001:db8:1:2::${guess}`, user.email, `guess ${guess}`)).rejects.toMatchObject(REFUSAL);
    await expect(verifyFrom('2001:db8:1:2:ffff::1', user.email, PASSWORD)).rejects.toMatchObject(REFUSAL);
    await expect(verifyFrom('2001:db8:1:3::1', user.email, PASSWORD)).resolves.toBeDefined();
  });

  it('costs the same work for a known and an unknown name, also for many concurrent guesses', async () => {
    const user = await service.addUser('editor');
    const attemptsOf = async (username: string, address: string): Promise<number> => {
      await Promise.allSettled(Array.from({ length: 30 }, () => verifyFrom(address, username, 'one wrong password')));
      return service.database.connection
        .collection('audit')
        .countDocuments({ action: 'sign-in.failed', 'about.address': address });
    };
    expect(await attemptsOf(user.email, '203.0.113.1')).toBe(1);
    expect(await attemptsOf('nobody-here@example.test', '203.0.113.2')).toBe(1);
  });

  it('is refused unless it is enabled', async () => {
    const replica = await service.startReplica({ BASIC_AUTH: '' });
    await expect(verify(OWNER.email, OWNER.password, 1, replica)).rejects.toMatchObject(REFUSAL);
  });
});
