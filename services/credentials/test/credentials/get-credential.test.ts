import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from '../support/service-under-test';

describe('GetCredential', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('returns the same as CreateCredential, without data', async () => {
    const made = await service.addCredential({ dataJson: '{"token":"planted-secret"}' });
    const { credential } = await service
      .as('gateway')
      .credentials.getCredential({ credentialId: made.id }, { principal: service.owner });
    expect(credential).toEqual(made);
    expect(JSON.stringify(credential)).not.toContain('planted-secret');
  });

  it('shows an admin the credentials of others', async () => {
    const made = await service.addCredential({});
    const principal = await service.addUser('admin');
    await expect(
      service.as('gateway').credentials.getCredential({ credentialId: made.id }, { principal }),
    ).resolves.toEqual({ credential: made });
  });

  it.each([
    ['an id that does not exist', uuidv7()],
    ['a string that is not an id', 'nonsense'],
    ['an operator of the store', '{"$ne":null}'],
  ])('does not find %s', async (_, credentialId) => {
    await expect(
      service.as('gateway').credentials.getCredential({ credentialId }, { principal: service.owner }),
    ).rejects.toMatchObject({
      reason: 'CREDENTIAL_NOT_FOUND',
      kind: 'not-found',
      details: { credentialId },
    });
  });

  it('refuses editors and viewers before reading', async () => {
    for (const role of ['editor', 'viewer'] as const) {
      await expect(
        service
          .as('gateway')
          .credentials.getCredential({ credentialId: uuidv7() }, { principal: { ...service.owner, role } }),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    }
  });
});
