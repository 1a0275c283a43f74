import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from './service-under-test';

describe('CheckCredentialUse', () => {
  let service: TestService;
  const check = (ownerId: string, credentialIds: string[], as = 'workflows') =>
    service.as(as).credentials.checkCredentialUse({ ownerId, workflowId: '', credentialIds });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('names the credentials that the owner of a workflow may not use, and those that do not exist', async () => {
    const editor = await service.addUser('editor');
    const [own, other] = [await service.addCredential({ projectId: editor.userId }), await service.addCredential({})];
    const unknown = uuidv7();
    const { refused, unknownIds } = await check(editor.userId, [own.id, other.id, unknown, 'n8n-7', other.id]);
    expect(refused).toEqual([
      {
        credentialId: other.id,
        name: other.name,
        ownerId: service.owner.userId,
        message: expect.stringContaining(`PUT /api/v1/credentials/${other.id}/grants/${editor.userId}`),
      },
    ]);
    expect([...unknownIds].sort()).toEqual([unknown, 'n8n-7'].sort());
  });

  it('refuses an owner who does not exist', async () => {
    const { id } = await service.addCredential({});
    expect((await check(uuidv7(), [id])).refused).toHaveLength(1);
  });

  it('is restricted to the workflows service, and to 1,000 ids', async () => {
    for (const name of ['gateway', 'executions', 'runner'])
      await expect(check(service.owner.userId, [], name)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(check(service.owner.userId, Array(1_001).fill(uuidv7()))).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
    });
  });
});
