import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from '../support/service-under-test';

describe('DeleteCredential', () => {
  let service: TestService;
  const remove = (credentialId: string, principal = service.owner) =>
    service.as('gateway').credentials.deleteCredential({ credentialId }, { principal });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('deletes the credential permanently, and no other', async () => {
    const [other, removed] = [await service.addCredential({}), await service.addCredential({})];
    await remove(removed.id);
    const { credentials } = await service
      .as('gateway')
      .credentials.listCredentials({ limit: 0, cursor: '' }, { principal: service.owner });
    expect(credentials.map(({ id }) => id)).toEqual([other.id]);
    expect(
      await service.database.connection.collection<{ _id: string }>('credentials').countDocuments({ _id: removed.id }),
    ).toBe(0);
  });

  it('does not find a deleted credential', async () => {
    const { id } = await service.addCredential({});
    await remove(id);
    await expect(remove(id)).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND', details: { credentialId: id } });
    await expect(remove('nonsense')).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
  });

  it('is preceded by the list of workflows that use it', async () => {
    const { id } = await service.addCredential({});
    service.workflows.naming.set(id, [{ id: 'w1', name: 'orders' }]);
    const list = (credentialId: string) =>
      service.as('gateway').credentials.listCredentialUses({ credentialId }, { principal: service.owner });
    expect(await list(id)).toEqual({ workflows: [{ id: 'w1', name: 'orders' }], hasHidden: false });
    await expect(list('nonsense')).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
  });

  it('is refused while workflows use it, and names them, unless it is forced', async () => {
    const { id } = await service.addCredential({});
    service.workflows.naming.set(id, [
      { id: 'w1', name: 'orders' },
      { id: 'w2', name: 'n'.repeat(200) },
    ]);
    await expect(remove(id)).rejects.toMatchObject({
      reason: 'CREDENTIAL_IN_USE',
      kind: 'precondition',
      details: { credentialId: id, workflowIds: 'w1, w2', workflows: `orders, ${'n'.repeat(100)}…` },
    });
    await service
      .as('gateway')
      .credentials.deleteCredential({ credentialId: id, force: true }, { principal: service.owner });
    await expect(remove(id)).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
  });

  it('is refused while its uses are unknown, unless it is forced', async () => {
    const { id } = await service.addCredential({});
    service.workflows.setAway(true);
    try {
      await expect(remove(id)).rejects.toMatchObject({ kind: 'unavailable' });
      await service
        .as('gateway')
        .credentials.deleteCredential({ credentialId: id, force: true }, { principal: service.owner });
    } finally {
      service.workflows.setAway(false);
    }
  });

  it('writes an audit record', async () => {
    const { id } = await service.addCredential({});
    await remove(id);
    const record = await service.database.connection
      .collection('audit')
      .findOne({ action: 'credential.delete', 'about.credentialId': id });
    expect(record).toMatchObject({ actor: service.owner.userId });
  });

  it('refuses editors and viewers', async () => {
    for (const role of ['editor', 'viewer'] as const) {
      await expect(
        service
          .as('gateway')
          .credentials.deleteCredential({ credentialId: uuidv7() }, { principal: { ...service.owner, role } }),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    }
  });
});
