import { Role as RoleMessage } from '@weft/proto/identity';
import { uuidv7 } from '@weft/service-kit/ids';
import { WORKFLOW_ID } from '../support/fake-executions';
import { grantRun } from '../support/run-with-claim';
import { startService, type TestService } from '../support/service-under-test';

describe('UseCredential', () => {
  let service: TestService;
  const use = (
    request: { executionId: string; fence: number; node: string; credentialId: string; type?: string },
    as = 'runner',
  ) => service.as(as).credentials.useCredential({ type: 'httpBearerAuth', ...request });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('returns the data to a runner with a valid claim', async () => {
    const { id } = await service.addCredential({ dataJson: '{"token":"s3cret","more":{"a":[1]}}' });
    const run = grantRun(service, id);
    expect(JSON.parse((await use(run)).dataJson)).toEqual({ token: 's3cret', more: { a: [1] } });
    expect(service.executions.asked).toContainEqual(run);
  });

  it.each([
    ['another execution', { executionId: uuidv7() }],
    ['a string that is not an execution', { executionId: 'x'.repeat(1_000) }],
    ['an older fence', { fence: 2 }],
    ['a node that does not name it', { node: 'Set' }],
  ])('refuses %s', async (_, difference) => {
    const { id } = await service.addCredential({});
    await expect(use({ ...grantRun(service, id), ...difference })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
      kind: 'forbidden',
    });
  });

  it('refuses a credential that the claim does not cover', async () => {
    const [covered, other] = [await service.addCredential({}), await service.addCredential({})];
    await expect(use({ ...grantRun(service, covered.id), credentialId: other.id })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });

  it('refuses a type other than the expected one, and names both', async () => {
    const { id } = await service.addCredential({});
    await expect(use({ ...grantRun(service, id), type: 'httpBasicAuth' })).rejects.toMatchObject({
      reason: 'CREDENTIAL_TYPE_MISMATCH',
      details: { expectedType: 'httpBasicAuth', actualType: 'httpBearerAuth' },
    });
    await expect(use({ ...grantRun(service, id), type: '' })).rejects.toMatchObject({
      reason: 'CREDENTIAL_TYPE_MISMATCH',
    });
  });

  it('does not find a deleted credential', async () => {
    await expect(use(grantRun(service, uuidv7()))).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
    await expect(use(grantRun(service, 'nonsense'))).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
  });

  it('lets a workflow use only credentials of its owner, whatever the role, and explains grants', async () => {
    const [admin, editor, viewer] = [
      await service.addUser('admin'),
      await service.addUser('editor'),
      await service.addUser('viewer'),
    ];
    const ofAdmin = await service.addCredential({}, admin);
    const ofOwner = await service.addCredential({});
    await expect(use(grantRun(service, ofAdmin.id, admin.userId))).resolves.toBeDefined();
    for (const stranger of [admin.userId, editor.userId, viewer.userId, uuidv7(), '']) {
      await expect(use(grantRun(service, ofOwner.id, stranger))).rejects.toMatchObject({
        reason: 'CREDENTIAL_NOT_GRANTED',
        kind: 'forbidden',
        details: { credentialId: ofOwner.id },
      });
    }
    const refused = use(grantRun(service, ofAdmin.id, service.owner.userId));
    const path = `/api/v1/credentials/${ofAdmin.id}/grants/`;
    for (const part of [ofAdmin.name, admin.email, `PUT ${path}${service.owner.userId}`, `${path}${WORKFLOW_ID}`])
      await expect(refused).rejects.toMatchObject({ message: expect.stringContaining(part) });
  });

  it('lets an editor use their own credential', async () => {
    const editor = await service.addUser('admin');
    const { id } = await service.addCredential({}, editor);
    // The role no longer manages credentials, but the credential is still their own.
    await service
      .as('gateway')
      .users.changeUserRole({ userId: editor.userId, role: RoleMessage.ROLE_EDITOR }, { principal: service.owner });
    await expect(use(grantRun(service, id, editor.userId))).resolves.toBeDefined();
  });

  it.each(['gateway', 'workflows', 'executions'])('refuses the %s service', async (name) => {
    const { id } = await service.addCredential({});
    await expect(use(grantRun(service, id), name)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('refuses users, including the owner', async () => {
    const { id } = await service.addCredential({});
    await expect(
      service
        .as('gateway')
        .credentials.useCredential({ ...grantRun(service, id), type: 'httpBearerAuth' }, { principal: service.owner }),
    ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('audits the uses by a node of a workflow in one record per hour, however many executions', async () => {
    const { id } = await service.addCredential({});
    const run = grantRun(service, id);
    await use(run);
    await Promise.all(Array.from({ length: 20 }, () => use(grantRun(service, id))));
    const records = await service.database.connection
      .collection('audit')
      .find({ action: 'credential.use', 'about.credentialId': id })
      .toArray();
    expect(records).toMatchObject([
      {
        actor: 'service:runner',
        about: { executionId: run.executionId, ownerId: service.owner.userId, node: 'HTTP Request' },
      },
    ]);
  });

  it('audits another node, and another hour, separately', async () => {
    const { id } = await service.addCredential({});
    const run = grantRun(service, id);
    const elsewhere = { ...run, node: 'Mail' };
    service.executions.grant(elsewhere, service.owner.userId);
    await use(run);
    await use(elsewhere);
    service.passTime(3_600_000);
    await use(run);
    const count = await service.database.connection
      .collection('audit')
      .countDocuments({ action: 'credential.use', 'about.credentialId': id });
    expect(count).toBe(3);
  });

  it('refuses data whose owner was changed in the database', async () => {
    const { id } = await service.addCredential({ type: 'httpBearerAuth', dataJson: '{"token":"t0ken"}' });
    const collection = service.database.connection.collection<{ _id: string }>('credentials');
    expect((await use(grantRun(service, id))).dataJson).toBe('{"token":"t0ken"}');
    const thief = await service.addUser('editor');
    await collection.updateOne({ _id: id }, { $set: { ownerId: thief.userId } });
    await expect(use(grantRun(service, id, thief.userId))).rejects.toMatchObject({ reason: 'CREDENTIAL_UNREADABLE' });
  });

  it("refuses data that was swapped with another credential's in the database, or whose type was changed", async () => {
    const [one, other] = [
      await service.addCredential({ type: 'typeA', dataJson: '{"a":1}' }),
      await service.addCredential({ type: 'typeA', dataJson: '{"b":1}' }),
    ];
    const collection = service.database.connection.collection<{ _id: string; sealed?: object; type?: string }>(
      'credentials',
    );
    const sealed = (await collection.findOne({ _id: one.id }))?.sealed ?? {};
    await collection.updateOne({ _id: other.id }, { $set: { sealed } });
    await expect(use({ ...grantRun(service, other.id), type: 'typeA' })).rejects.toMatchObject({
      reason: 'CREDENTIAL_UNREADABLE',
    });
    await collection.updateOne({ _id: one.id }, { $set: { type: 'typeB' } });
    await expect(use({ ...grantRun(service, one.id), type: 'typeB' })).rejects.toMatchObject({
      reason: 'CREDENTIAL_UNREADABLE',
    });
  });

  it('is unavailable while the executions service is unreachable', async () => {
    const { id } = await service.addCredential({});
    const replica = await service.startReplica({ EXECUTIONS_TARGET: 'ipv4:127.0.0.1:1' });
    await expect(
      replica.as('runner').credentials.useCredential({ ...grantRun(service, id), type: 'httpBearerAuth' }),
    ).rejects.toMatchObject({ reason: 'SERVICE_UNAVAILABLE' });
  });
});
