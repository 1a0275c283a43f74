import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { dropDatabase, testMongodbUri, uniqueName } from '@weft/service-kit/testing';
import { createSecretKey, randomBytes } from 'node:crypto';
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  createSignInLimit,
  type SignInLimit,
} from '../../src/domain/users/sign-in-limit';
import { createSignInWindowStore } from '../../src/store/sign-in-window-store';

describe('the limit on attempts to sign in', () => {
  const name = uniqueName('credentials');
  let database: Database;
  let limit: SignInLimit;
  let shiftMs = 0;
  const outcomeOf = (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => 'allowed',
      (error: unknown) => error,
    );
  const attempts = (count: number, attempt: (index: number) => Promise<void>): Promise<unknown[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => outcomeOf(attempt(index))));
  const allowedOf = (outcomes: readonly unknown[]): number =>
    outcomes.filter((outcome) => outcome === 'allowed').length;

  beforeAll(async () => {
    database = await connectDatabase(testMongodbUri(), name);
    limit = createSignInLimit(
      createSignInWindowStore(database.connection),
      createSecretKey(randomBytes(32)),
      () => new Date(Date.now() + shiftMs),
    );
  });
  afterAll(async () => {
    await database.close();
    await dropDatabase(name);
  });

  it('allows exactly ten concurrent attempts for one account', async () => {
    expect(allowedOf(await attempts(40, () => limit.attempt('one@example.test', '')))).toBe(ACCOUNT_LIMIT);
  });

  it('blocks an account twice as long each time, up to fifteen minutes', async () => {
    const seconds: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const outcomes = await attempts(ACCOUNT_LIMIT, () => limit.attempt('again@example.test', ''));
      expect(allowedOf(outcomes)).toBe(ACCOUNT_LIMIT);
      const refusal = await limit.attempt('again@example.test', '').then(
        () => undefined,
        (error: { reason: string; retryAfterSeconds: number }) => error,
      );
      expect(refusal?.reason).toBe('TOO_MANY_SIGN_INS');
      seconds.push(refusal?.retryAfterSeconds ?? 0);
      shiftMs += (refusal?.retryAfterSeconds ?? 0) * 1_000 + 100;
    }
    expect(seconds).toEqual([60, 120, 240, 480, 900, 900]);
  });

  it('blocks for the whole time, however many attempts are made', async () => {
    await attempts(ACCOUNT_LIMIT + 1, () => limit.attempt('closed@example.test', ''));
    shiftMs += 59_000;
    expect(allowedOf(await attempts(20, () => limit.attempt('closed@example.test', '')))).toBe(0);
    shiftMs += 1_500;
    expect(await outcomeOf(limit.attempt('closed@example.test', ''))).toBe('allowed');
  });

  it('is reset by a success', async () => {
    for (let round = 0; round < 3; round += 1) {
      await attempts(ACCOUNT_LIMIT - 1, () => limit.attempt('fine@example.test', '192.0.2.1'));
      await limit.attempt('fine@example.test', '192.0.2.1');
      await limit.succeeded('fine@example.test', '192.0.2.1');
    }
    expect(await outcomeOf(limit.attempt('fine@example.test', '192.0.2.1'))).toBe('allowed');
  });

  it('blocks an address that tries many accounts, and does not block the accounts for others', async () => {
    const outcomes = await attempts(ADDRESS_LIMIT + 20, (index) =>
      limit.attempt(`account${index}@example.test`, '203.0.113.9'),
    );
    expect(allowedOf(outcomes)).toBe(ADDRESS_LIMIT);
    expect(await outcomeOf(limit.attempt('account0@example.test', '203.0.113.10'))).toBe('allowed');
  });

  it('stores neither emails nor addresses', async () => {
    await limit.attempt('planted@example.test', '198.51.100.77');
    const stored = JSON.stringify(await database.connection.collection('signInWindows').find({}).toArray());
    expect(stored).not.toMatch(/planted|198\.51/);
  });
});
