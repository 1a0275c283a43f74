import { startService, type TestService } from '../support/service-under-test';

const conditionOf = (etag: string | undefined) => ({ condition: { etags: [etag ?? ''] } });

describe('a change of a credential with a condition', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('updates and deletes it only in the state that was read', async () => {
    const { credentials } = service.as('gateway');
    const owner = { principal: service.owner };
    const created = { name: 'c', type: 'httpHeaderAuth', dataJson: '{"name":"X","value":"v"}' };
    const { credential: read } = await credentials.createCredential(created, owner);
    const credentialId = read?.id ?? '';
    expect((await credentials.getCredential({ credentialId }, owner)).credential?.etag).toBe(read?.etag);
    // The data alone changes, which no field shows.
    const change = { credentialId, dataJson: '{"name":"X","value":"w"}', ...conditionOf(read?.etag) };
    const { credential: changed } = await credentials.updateCredential(change, owner);
    expect(changed?.etag).not.toBe(read?.etag);
    const conflict = { reason: 'VERSION_CONFLICT', kind: 'precondition', details: { credentialId } };
    await expect(credentials.updateCredential(change, owner)).rejects.toMatchObject(conflict);
    await expect(
      credentials.deleteCredential({ credentialId, ...conditionOf(read?.etag) }, owner),
    ).rejects.toMatchObject(conflict);
    await credentials.deleteCredential({ credentialId, ...conditionOf(changed?.etag) }, owner);
    await expect(credentials.getCredential({ credentialId }, owner)).rejects.toMatchObject({
      reason: 'CREDENTIAL_NOT_FOUND',
    });
  });
});
