import { CredentialMatch, type CredentialReference } from '@weft/proto/credentials';
import { uuidv7 } from '@weft/service-kit/ids';
import { startService, type TestService } from '../support/service-under-test';

const { CREDENTIAL_MATCH_ID, CREDENTIAL_MATCH_NAME, CREDENTIAL_MATCH_AMBIGUOUS, CREDENTIAL_MATCH_NONE } =
  CredentialMatch;

describe('FindCredentials', () => {
  let service: TestService;
  const find = async (ownerId: string, reference: Partial<CredentialReference>, as = 'workflows', workflowId = '') => {
    const references = [{ type: 'httpBearerAuth', id: '', name: '', ...reference }];
    return (await service.as(as).credentials.findCredentials({ ownerId, workflowId, references })).found[0];
  };

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('finds a credential by its id, whatever the name', async () => {
    const { id } = await service.addCredential({ name: 'by id' });
    expect(await find(service.owner.userId, { id, name: 'other' })).toEqual({
      match: CREDENTIAL_MATCH_ID,
      credentialId: id,
      usable: true,
    });
  });

  it.each(['idOfAnotherInstance', '', uuidv7()])('finds one by name and type if the id is %j', async (id) => {
    const name = `named ${uuidv7()}`;
    const made = await service.addCredential({ name });
    expect(await find(service.owner.userId, { id, name })).toEqual({
      match: CREDENTIAL_MATCH_NAME,
      credentialId: made.id,
      usable: true,
    });
    const nothing = { match: CREDENTIAL_MATCH_NONE, credentialId: '', usable: false };
    expect(await find(service.owner.userId, { id, name, type: 'httpBasicAuth' })).toEqual(nothing);
    expect(await find(service.owner.userId, { id, name: name.toUpperCase() })).toEqual(nothing);
    expect(await find(service.owner.userId, { id })).toEqual(nothing);
  });

  it('does not choose between several of the same name and type', async () => {
    for (let count = 0; count < 2; count += 1) await service.addCredential({ name: 'twice' });
    expect(await find(service.owner.userId, { name: 'twice' })).toMatchObject({
      match: CREDENTIAL_MATCH_AMBIGUOUS,
      credentialId: '',
    });
  });

  it('finds by name only what the owner owns or was granted', async () => {
    const name = `secret of the owner ${uuidv7()}`;
    const { id } = await service.addCredential({ name });
    const editor = await service.addUser('editor');
    expect(await find(editor.userId, { name })).toMatchObject({ match: CREDENTIAL_MATCH_NONE });
    expect(await find(editor.userId, { id })).toMatchObject({ match: CREDENTIAL_MATCH_ID, usable: false });
    expect((await find(service.owner.userId, { id }))?.refusal).toBeUndefined();
    expect(await find(uuidv7(), { name })).toMatchObject({ match: CREDENTIAL_MATCH_NONE });

    const options = { principal: service.owner };
    const { project } = await service.as('gateway').projects.createProject({ name: 'P', closed: false }, options);
    const projectId = project?.id ?? '';
    expect(await find(projectId, { name })).toMatchObject({ match: CREDENTIAL_MATCH_NONE });
    await service.as('gateway').credentials.grantCredential({ credentialId: id, projectId }, options);
    expect(await find(projectId, { name })).toEqual({ match: CREDENTIAL_MATCH_NAME, credentialId: id, usable: true });
  });

  it('says why runs may not use the credential whose id is kept, whatever its type', async () => {
    const { id, name } = await service.addCredential({});
    const editor = await service.addUser('editor');
    const refusal = expect.stringContaining(`PUT /api/v1/credentials/${id}/grants/${editor.userId}`);
    expect(await find(editor.userId, { id, name })).toMatchObject({ match: CREDENTIAL_MATCH_ID, refusal });
    expect(await find(editor.userId, { id, type: 'httpBasicAuth' })).toMatchObject({
      match: CREDENTIAL_MATCH_NONE,
      refusal,
    });
    expect(await find(uuidv7(), { id })).toMatchObject({ refusal: expect.stringContaining('does not exist') });
    const own = await service.addCredential({ name: 'own', projectId: editor.userId });
    expect(await find(editor.userId, { id, name: 'own' })).toMatchObject({ usable: false, refusal });
    expect(await find(editor.userId, { id, name: 'own', type: 'httpBasicAuth' })).toMatchObject({ refusal });
    expect(await find(editor.userId, { id: 'elsewhere', name: 'own' })).toEqual({
      match: CREDENTIAL_MATCH_NAME,
      credentialId: own.id,
      usable: true,
    });
  });

  it('counts grants to the workflow', async () => {
    const { id, name } = await service.addCredential({});
    const editor = await service.addUser('editor');
    const workflowId = uuidv7();
    service.workflows.existing.add(workflowId);
    const options = { principal: service.owner };
    await service.as('gateway').credentials.grantCredential({ credentialId: id, projectId: workflowId }, options);
    expect(await find(editor.userId, { id, name }, 'workflows', workflowId)).toEqual({
      match: CREDENTIAL_MATCH_ID,
      credentialId: id,
      usable: true,
    });
    expect(await find(editor.userId, { id, name }, 'workflows', uuidv7())).toMatchObject({ usable: false });
  });

  it('is refused for too many references, and for all callers but the workflows service', async () => {
    const references = Array.from({ length: 501 }, () => ({ type: 'a', id: '', name: 'b' }));
    await expect(
      service
        .as('workflows')
        .credentials.findCredentials({ ownerId: service.owner.userId, workflowId: '', references }),
    ).rejects.toMatchObject({ reason: 'INVALID_REQUEST' });
    await expect(find(service.owner.userId, { name: 'a' }, 'gateway')).rejects.toMatchObject({ kind: 'forbidden' });
    await expect(find(service.owner.userId, { name: 'a' }, 'runner')).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
