import { CredentialTestStatus } from '@weft/proto/credentials';
import { ProbeOutcome } from '@weft/proto/probes';
import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from '../support/service-under-test';

const POSTGRES = { type: 'postgres', dataJson: '{"host":"db.example.com","user":"weft","password":"s3cret-word"}' };
const HEADER = { type: 'httpHeaderAuth', dataJson: '{"name":"x-key","value":"s3cret-word"}' };
const { CREDENTIAL_TEST_STATUS_OK, CREDENTIAL_TEST_STATUS_ERROR, CREDENTIAL_TEST_STATUS_UNTESTABLE } =
  CredentialTestStatus;

describe('TestCredential', () => {
  let service: TestService;
  const test = (credentialId: string, url = '', principal = service.owner) =>
    service.as('gateway').credentials.testCredential({ credentialId, url }, { principal });

  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());

  it('lets a runner test the data and returns the result', async () => {
    const { id } = await service.addCredential(POSTGRES);
    await expect(test(id)).resolves.toEqual({
      status: CREDENTIAL_TEST_STATUS_OK,
      message: 'The server accepts the login.',
    });
    expect(service.runner.probed).toEqual([{ ...POSTGRES, url: '' }]);
    service.runner.answer(ProbeOutcome.PROBE_OUTCOME_REFUSED, 'The password is wrong.');
    await expect(test(id)).resolves.toEqual({
      status: CREDENTIAL_TEST_STATUS_ERROR,
      message: 'The password is wrong.',
    });
  });

  it('is recorded before the data leaves, with the user and the credential and without a secret', async () => {
    const { id } = await service.addCredential(POSTGRES);
    await test(id);
    const records = await service.database.connection.collection('audit').find({ action: 'credential.test' }).toArray();
    expect(records).toMatchObject([{ actor: service.owner.userId, about: { credentialId: id, type: 'postgres' } }]);
    expect(JSON.stringify([records, service.logs])).not.toContain('s3cret-word');
  });

  it('reports types without a test as untestable, without calling a runner', async () => {
    const { id } = await service.addCredential({ type: 'totpApi', dataJson: '{"secret":"GEZDGNBV"}' });
    expect((await test(id)).status).toBe(CREDENTIAL_TEST_STATUS_UNTESTABLE);
    const other = await service.addCredential({ type: 'someOtherApi', dataJson: '{}' });
    expect((await test(other.id)).status).toBe(CREDENTIAL_TEST_STATUS_UNTESTABLE);
    expect(service.runner.probed).toEqual([]);
  });

  it('refuses an address of more than 2,000 characters, as documented, even if none is needed', async () => {
    const { id } = await service.addCredential({ type: 'someOtherApi', dataJson: '{}' });
    expect((await test(id, 'x'.repeat(2_000))).status).toBe(CREDENTIAL_TEST_STATUS_UNTESTABLE);
    await expect(test(id, 'x'.repeat(2_001))).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'url' }],
    });
  });

  it.each(['', 'ftp://example.com', 'not an address', `https://example.com/${'x'.repeat(2_000)}`])(
    'requires a web address for a type without a fixed service: %.40s',
    async (url) => {
      const { id } = await service.addCredential(HEADER);
      await expect(test(id, url)).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field: 'url' }] });
      expect(service.runner.probed).toEqual([]);
    },
  );

  it('refuses an address for a type with a fixed service: the secret would go elsewhere', async () => {
    const { id } = await service.addCredential(POSTGRES);
    await expect(test(id, 'https://example.com')).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'url' }],
    });
    expect(service.runner.probed).toEqual([]);
  });

  it('is refused to editors, viewers and read-only keys', async () => {
    const { id } = await service.addCredential(POSTGRES);
    const editor = await service.addUser('editor');
    const reader = { ...service.owner, scopes: ['credentials:read' as const] };
    await expect(test(id, '', editor)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(test(id, '', await service.addUser('viewer'))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(test(id, '', reader)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(test(id, '', await service.addUser('admin'))).resolves.toMatchObject({});
    expect(service.runner.probed).toHaveLength(1);
  });

  it('refuses only the 21st test of a user in a minute across all replicas', async () => {
    const { id } = await service.addCredential(POSTGRES);
    const other = await service.startReplica();
    // At the beginning of a minute, since tests are counted by minute.
    service.passTime(60_000 - (Date.now() % 60_000));
    for (let made = 0; made < 20; made += 1)
      await (made % 2 === 0 ? service : other)
        .as('gateway')
        .credentials.testCredential({ credentialId: id, url: '' }, { principal: service.owner });
    await expect(test(id)).rejects.toMatchObject({ reason: 'RATE_LIMIT_EXCEEDED' });
    await expect(test(id, '', await service.addUser('admin'))).resolves.toMatchObject({});
    service.passTime(61_000);
    await expect(test(id)).resolves.toMatchObject({});
  });

  it('does not find a missing credential', async () => {
    await expect(test(uuidv7())).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
    await expect(test('nonsense')).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
  });

  it('is unavailable if no runner is configured, and names the missing setting', async () => {
    const { id } = await service.addCredential(POSTGRES);
    const alone = await service.startReplica({ RUNNER_TARGET: '' });
    await expect(
      alone.as('gateway').credentials.testCredential({ credentialId: id, url: '' }, { principal: service.owner }),
    ).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('RUNNER_TARGET') });
  });
});
