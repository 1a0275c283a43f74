import { hashPassword } from '../src/domain/users/password';
import { OWNER, PASSWORD, startService, type Replica, type TestService } from './service-under-test';

const REFUSAL = { reason: 'UNAUTHORIZED', message: 'The API key is missing, malformed, wrong or deleted.' };

describe('VerifyApiKey with user name and password', () => {
  let service: TestService;
  const verify = (username: string, password: string, count = 1, replica: Replica = service) =>
    replica.as('gateway').apiKeys.verifyApiKey({ proof: { $case: 'basic', value: { username, password } }, count });

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: '1000' });
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
    const passwordHash = await hashPassword('another long password');
    await service.database.connection
      .collection<{ _id: string }>('users')
      .updateOne({ _id: user.userId }, { $set: { passwordHash } });
    await expect(verify(user.email, PASSWORD)).rejects.toMatchObject(REFUSAL);
    await expect(verify(user.email, 'another long password')).resolves.toMatchObject({ userId: user.userId });
  });

  it('checks a password once for many concurrent requests', async () => {
    const user = await service.addUser('viewer');
    // Far more than may wait for a separate check: each would be refused if it needed one.
    const users = await Promise.all(Array.from({ length: 60 }, () => verify(user.email, PASSWORD)));
    expect(new Set(users.map(({ userId }) => userId))).toEqual(new Set([user.userId]));
  });

  it('blocks guesses after ten wrong ones, also concurrently and across replicas, with the same error', async () => {
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

  it('is refused when disabled', async () => {
    const replica = await service.startReplica({ BASIC_AUTH: 'off' });
    await expect(verify(OWNER.email, OWNER.password, 1, replica)).rejects.toMatchObject(REFUSAL);
  });
});
