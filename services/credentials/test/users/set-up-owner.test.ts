import { closeAfterEach } from '@weft/service-kit/testing';
import { newMasterKey, startService, type Replica, type TestService } from '../support/service-under-test';

const NO_OWNER = { WEFT_OWNER_EMAIL: '', WEFT_OWNER_PASSWORD: '', WEFT_OWNER_API_KEY: '' };
const FIRST = { email: ' First@Example.test', password: 'a long enough password', clientAddress: '192.0.2.1' };
const WRONG_CODE = '00000-00000-00000-00000';

describe('SetUpOwner', () => {
  let service: TestService;
  let replica: Replica;
  let code = '';
  const outcomeOf = (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => 'made',
      (error: unknown) => error,
    );
  const setUp = (change: Partial<typeof FIRST & { setupCode: string }> = {}, by: Replica = replica) =>
    by.as('gateway').sessions.setUpOwner({ ...FIRST, setupCode: code, ...change });
  const isOpen = async (by: Replica = replica) => (await by.as('gateway').sessions.getSetup({})).open;
  const owners = () => service.database.connection.collection('users').find({ role: 'owner' }).toArray();
  const codesLogged = () =>
    service.logs.flatMap((line) => /"level":40.*set-up code ([0-9A-Z-]{23})/.exec(line)?.[1] ?? []);

  beforeEach(async () => {
    service = await startService();
    await service.database.connection.collection('users').deleteMany({});
    replica = await service.startReplica(NO_OWNER);
    code = codesLogged()[0] ?? '';
  });
  afterEach(() => service.stop());

  it('creates the owner and opens a session, and is refused from then on by every replica', async () => {
    const other = await service.startReplica(NO_OWNER);
    expect([await isOpen(), await isOpen(other)]).toEqual([true, true]);
    const { sessionToken, user } = await setUp({ setupCode: code.toLowerCase().replaceAll('-', '') });
    expect(user).toMatchObject({ email: 'first@example.test', role: 1 });
    await expect(other.as('gateway').sessions.verifySession({ sessionToken })).resolves.toMatchObject({
      user: { id: user?.id ?? '' },
    });
    await expect(other.as('gateway').sessions.signIn({ ...FIRST, email: 'first@example.test' })).resolves.toBeDefined();
    expect([await isOpen(), await isOpen(other)]).toEqual([false, false]);
    for (const change of [
      {},
      { email: 'second@example.test' },
      { email: '', password: '' },
      { setupCode: WRONG_CODE },
    ]) {
      expect(await outcomeOf(setUp(change, other))).toMatchObject({
        reason: 'SET_UP_DONE',
        kind: 'conflict',
        message: expect.stringContaining('Sign in instead'),
      });
    }
    expect((await owners()).map(({ email }) => email)).toEqual(['first@example.test']);
  });

  it('lets exactly one of many concurrent requests to several replicas succeed', async () => {
    const replicas = [replica, await service.startReplica(NO_OWNER), await service.startReplica(NO_OWNER)];
    const outcomes = await Promise.all(
      Array.from({ length: 9 }, (_, index) =>
        outcomeOf(
          setUp({ email: `racer${index}@example.test`, clientAddress: `192.0.2.${index}` }, replicas[index % 3]),
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(1);
    for (const refusal of outcomes.filter((outcome) => outcome !== 'made'))
      expect(refusal).toMatchObject({ reason: 'SET_UP_DONE' });
    expect(await owners()).toHaveLength(1);
  });

  it('requires the code that every replica logs once at its start while there is no owner', async () => {
    expect(codesLogged()).toHaveLength(1);
    await service.startReplica(NO_OWNER);
    expect(codesLogged()).toEqual([code, code]);
    for (const setupCode of ['', WRONG_CODE, code.slice(1)])
      expect(await outcomeOf(setUp({ setupCode }))).toMatchObject({
        reason: 'UNAUTHORIZED',
        message: expect.stringContaining('set-up code'),
      });
    expect(await owners()).toEqual([]);
    await setUp();
    await service.startReplica(NO_OWNER);
    expect(codesLogged()).toHaveLength(2);
    expect(service.logs.join('\n')).not.toContain(FIRST.password);
  });

  it('refuses the code of another master key', async () => {
    const foreign = await service.startReplica({ ...NO_OWNER, MASTER_KEY: newMasterKey('k2') });
    expect(await outcomeOf(setUp({}, foreign))).toMatchObject({ reason: 'UNAUTHORIZED' });
  });

  it('blocks only that address after ten wrong codes in a minute', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => outcomeOf(setUp({ setupCode: WRONG_CODE }))));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ reason: 'UNAUTHORIZED' });
    expect(await outcomeOf(setUp())).toMatchObject({ reason: 'TOO_MANY_SIGN_INS', retryAfterSeconds: 60 });
    expect(
      await service.database.connection
        .collection('audit')
        .countDocuments({ action: 'sign-in.failed', 'about.address': FIRST.clientAddress }),
    ).toBe(10);
    expect(await outcomeOf(setUp({ clientAddress: '192.0.2.2' }))).toBe('made');
  });

  it('reports an invalid email and password without counting an attempt', async () => {
    for (let attempt = 0; attempt < 11; attempt += 1) {
      expect(await outcomeOf(setUp({ email: 'owner', password: 'elevenchars' }))).toMatchObject({
        reason: 'INVALID_REQUEST',
        fields: [{ field: 'email' }, { field: 'password', message: 'must have at least 12 characters.' }],
      });
    }
    expect(await outcomeOf(setUp())).toBe('made');
  });

  it('is restricted to the gateway, like GetSetup', async () => {
    const request = { ...FIRST, setupCode: code };
    await expect(replica.as('runner').sessions.setUpOwner(request)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(replica.as('runner').sessions.getSetup({})).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(
      replica.as('gateway').sessions.setUpOwner(request, { principal: service.owner }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect(await owners()).toEqual([]);
  });
});

describe('the start with an owner in the configuration', () => {
  const later = closeAfterEach();

  it('logs no set-up code, and refuses set-up', async () => {
    const service = later(await startService(), ({ stop }) => stop());
    expect(service.logs.join('\n')).not.toContain('set-up');
    expect(await service.as('gateway').sessions.getSetup({})).toEqual({ open: false });
  });
});
