import { until } from '@weft/service-kit/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeKeyValue } from '../../src/domain/api-keys/key-format';
import { newMasterKey, OWNER, startService, type Replica, type TestService } from '../support/service-under-test';

const LIMIT = 30;

describe('VerifyApiKey', () => {
  let service: TestService;
  let other: Replica;
  const verify = (value: string, count = 1, replica: Replica = service) =>
    replica.as('gateway').apiKeys.verifyApiKey({ proof: { $case: 'apiKey', value }, count });
  const newKey = async (): Promise<string> =>
    (await service.as('gateway').apiKeys.createApiKey({ name: 'n', scopes: [] }, { principal: service.owner })).value;
  /** Windows are minutes of the clock: a test that counts starts in a new one, far from its end. */
  const beginMinute = (): void => service.passTime(60_000 - (Date.now() % 60_000) + 60_000);

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_PER_MINUTE: String(LIMIT) });
    other = await service.startReplica();
  });
  afterAll(() => service.stop());

  it('returns the user of the key and the state of its window', async () => {
    beginMinute();
    const value = await newKey();
    const first = await verify(value, 3);
    expect(first).toEqual({
      userId: service.owner.userId,
      email: OWNER.email,
      role: 1,
      granted: 3,
      limit: LIMIT,
      remaining: LIMIT - 3,
      resetAt: expect.any(Date),
      scopes: [],
      projectIds: [],
      readProjectIds: [],
      apiKeyId: expect.any(String),
    });
    expect((first.resetAt?.getTime() ?? 1) % 60_000).toBe(0);
    expect(await verify(value, LIMIT)).toMatchObject({ granted: LIMIT - 3, remaining: 0 });
    expect(await verify(value)).toMatchObject({ granted: 0, remaining: 0 });
  });

  it('resets in the next minute', async () => {
    beginMinute();
    const value = await newKey();
    await verify(value, LIMIT + 5);
    service.passTime(60_000);
    expect(await verify(value)).toMatchObject({ granted: 1, remaining: LIMIT - 1 });
  });

  it('counts each key separately', async () => {
    beginMinute();
    const [one, two] = [await newKey(), await newKey()];
    await verify(one, LIMIT);
    expect(await verify(two)).toMatchObject({ granted: 1, remaining: LIMIT - 1 });
  });

  it('grants exactly the limit to concurrent calls of two replicas, in a new and in an old window', async () => {
    for (let round = 0; round < 8; round += 1) {
      beginMinute();
      const value = await newKey();
      for (let minute = 0; minute < 2; minute += 1) {
        const counts = Array.from({ length: 40 }, (_, index) => 1 + ((index + round) % 3));
        const answers = await Promise.all(
          counts.map((count, index) => verify(value, count, index % 2 === 0 ? service : other)),
        );
        expect(answers.reduce((total, { granted }) => total + granted, 0)).toBe(LIMIT);
        expect(Math.min(...answers.map(({ remaining }) => remaining))).toBe(0);
        service.passTime(60_000);
      }
    }
  });

  it('refuses a key that has expired like a deleted one, at every replica, and still lists it', async () => {
    const { apiKeys } = service.as('gateway');
    const expiresAt = new Date(Date.now() + 86_400_000);
    const { value, apiKey } = await apiKeys.createApiKey(
      { name: 'expiring', scopes: [], expiresAt },
      { principal: service.owner },
    );
    for (const replica of [service, other]) await expect(verify(value, 1, replica)).resolves.toMatchObject({ role: 1 });
    service.passTime(86_400_000);
    const unknown = await verify(makeKeyValue()).catch((error: unknown) => error);
    for (const replica of [service, other]) await expect(verify(value, 1, replica)).rejects.toEqual(unknown);
    const listed = await apiKeys.listApiKeys({}, { principal: service.owner });
    expect(listed.apiKeys.find(({ id }) => id === apiKey?.id)).toMatchObject({ expiresAt });
  });

  it('records the last use of a key, at most once a minute, without waiting', async () => {
    const stored = service.database.connection.collection<{ _id: string; lastUsedAt?: Date }>('apiKeys');
    const { apiKeys } = service.as('gateway');
    const { value, apiKey } = await apiKeys.createApiKey({ name: 'used', scopes: [] }, { principal: service.owner });
    const id = apiKey?.id ?? '';
    const lastUse = async (): Promise<number> => (await stored.findOne({ _id: id }))?.lastUsedAt?.getTime() ?? 0;
    expect(apiKey?.lastUsedAt).toBeUndefined();
    await verify(value);
    await until('the use is written', async () => (await lastUse()) > 0);
    const first = await lastUse();
    service.passTime(50_000);
    await Promise.all(Array.from({ length: 20 }, (_, index) => verify(value, 1, index % 2 === 0 ? service : other)));
    await sleep(300);
    expect(await lastUse()).toBe(first);
    service.passTime(10_000);
    await Promise.all(Array.from({ length: 20 }, (_, index) => verify(value, 1, index % 2 === 0 ? service : other)));
    await until('the use is written again', async () => (await lastUse()) > first);
    const { apiKeys: listed } = await apiKeys.listApiKeys({}, { principal: service.owner });
    expect(listed.find((key) => key.id === id)?.lastUsedAt?.getTime()).toBe(await lastUse());
  });

  it('returns the same error for every kind of invalid key', async () => {
    const value = await newKey();
    const bad = [
      '',
      'x',
      value.slice(0, -1),
      `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`,
      value.toUpperCase(),
      ` ${value}`,
      makeKeyValue(),
      `weft_${'a'.repeat(5_000)}`,
      '{"$ne":""}',
    ];
    const refusals: unknown[] = await Promise.all(
      bad.map((text) =>
        verify(text).then(
          () => 'taken',
          (error: Error & { reason: string }) => `${error.reason} ${error.message}`,
        ),
      ),
    );
    expect(new Set(refusals)).toEqual(
      new Set([
        'UNAUTHORIZED The API key is missing, malformed, wrong or deleted: send it in the header X-SVC-API-KEY.',
      ]),
    );
  });

  it('refuses an invalid count, and a request without credentials', async () => {
    const value = await newKey();
    for (const count of [0, 10_001])
      await expect(verify(value, count)).rejects.toMatchObject({
        reason: 'INVALID_REQUEST',
        fields: [{ field: 'count' }],
      });
    await expect(service.as('gateway').apiKeys.verifyApiKey({ count: 1 })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'proof' }],
    });
  });

  it('is restricted to the services that users call', async () => {
    const request = { proof: { $case: 'apiKey' as const, value: service.ownerApiKey }, count: 1 };
    for (const name of ['gateway', 'workflows', 'executions'])
      await expect(service.as(name).apiKeys.verifyApiKey(request)).resolves.toBeDefined();
    await expect(service.as('runner').apiKeys.verifyApiKey(request)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(
      service.as('gateway').apiKeys.verifyApiKey(request, { principal: service.owner }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('grants everything and writes no window if there is no limit', async () => {
    const unlimited = await service.startReplica({ RATE_LIMIT_PER_MINUTE: '0' });
    const windows = service.database.connection.collection('rateWindows');
    const value = await newKey();
    const before = await windows.countDocuments();
    expect(await verify(value, 10_000, unlimited)).toMatchObject({ granted: 10_000, limit: 0 });
    expect(await windows.countDocuments()).toBe(before);
  });

  it('counts in a window opened by a replica with a faster clock, and replaces one far ahead', async () => {
    beginMinute();
    const windows = service.database.connection.collection<{ _id: string }>('rateWindows');
    const setMinute = async (value: string, ahead: number): Promise<void> => {
      const { resetAt } = await verify(value);
      const minute = (resetAt?.getTime() ?? 0) / 60_000 - 1 + ahead;
      const { apiKeys } = await service.as('gateway').apiKeys.listApiKeys({}, { principal: service.owner });
      await windows.updateOne({ _id: `key:${apiKeys[0]?.id ?? ''}` }, { $set: { minute } });
    };
    const near = await newKey();
    await setMinute(near, 1);
    expect(await verify(near)).toMatchObject({ remaining: LIMIT - 2 });
    const far = await newKey();
    await setMinute(far, 500);
    expect(await verify(far)).toMatchObject({ remaining: LIMIT - 1 });
  });

  it('verifies keys hashed under the previous master key, and rehashes them under the current one', async () => {
    const [old, fresh] = [newMasterKey('old'), newMasterKey('fresh')];
    const before = await service.startReplica({ MASTER_KEY: old });
    const { value } = await before
      .as('gateway')
      .apiKeys.createApiKey({ name: 'old', scopes: [] }, { principal: service.owner });
    const during = await service.startReplica({ MASTER_KEY: fresh, MASTER_KEY_PREVIOUS: old });
    await expect(verify(value, 1, during)).resolves.toMatchObject({ userId: service.owner.userId });
    await expect(verify(value, 1, during)).resolves.toMatchObject({ userId: service.owner.userId });
    const after = await service.startReplica({ MASTER_KEY: fresh });
    await expect(verify(value, 1, after)).resolves.toMatchObject({ userId: service.owner.userId });
  });
});
