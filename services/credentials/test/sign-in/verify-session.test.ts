import { OWNER, startService, type TestService } from '../support/service-under-test';

const MINUTE_MS = 60_000;

describe('VerifySession', () => {
  let service: TestService;
  const open = async (): Promise<string> =>
    (await service.as('gateway').sessions.signIn({ ...OWNER, clientAddress: '' })).sessionToken;
  const verify = (sessionToken: string) => service.as('gateway').sessions.verifySession({ sessionToken });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('returns the user of the session', async () => {
    expect(await verify(await open())).toMatchObject({
      user: { id: service.owner.userId, email: OWNER.email, role: 1 },
    });
  });

  it('refuses strings that are not session tokens', async () => {
    const token = await open();
    for (const text of ['', 'x', token.slice(1), `${token}A`, 'A'.repeat(43), '{"$ne":""}'])
      await expect(verify(text)).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
  });

  it('expires after an hour without use', async () => {
    const token = await open();
    service.passTime(59 * MINUTE_MS);
    await expect(verify(token)).resolves.toBeDefined();
    service.passTime(59 * MINUTE_MS);
    await expect(verify(token)).resolves.toBeDefined();
    service.passTime(60 * MINUTE_MS);
    await expect(verify(token)).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
  });

  it('expires after twelve hours even if it is used', async () => {
    const token = await open();
    for (let time = 0; time < 14; time += 1) {
      service.passTime(50 * MINUTE_MS);
      await expect(verify(token)).resolves.toBeDefined();
    }
    service.passTime(21 * MINUTE_MS);
    await expect(verify(token)).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
  });

  it('counts requests up to 600 a minute for each session, and none if none is given', async () => {
    const [one, other] = [await open(), await open()];
    const { sessions } = service.as('gateway');
    expect((await verify(one)).allowance).toBeUndefined();
    const { allowance } = await sessions.verifySession({ sessionToken: one, count: 599 });
    expect(allowance).toMatchObject({ granted: 599, limit: 600, remaining: 1 });
    expect((await sessions.verifySession({ sessionToken: one, count: 3 })).allowance).toMatchObject({ granted: 1 });
    expect((await sessions.verifySession({ sessionToken: other, count: 3 })).allowance).toMatchObject({ granted: 3 });
    service.passTime(MINUTE_MS);
    expect((await sessions.verifySession({ sessionToken: one, count: 1 })).allowance).toMatchObject({ granted: 1 });
  });

  it('is restricted to the gateway', async () => {
    await expect(service.as('workflows').sessions.verifySession({ sessionToken: await open() })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });
});
