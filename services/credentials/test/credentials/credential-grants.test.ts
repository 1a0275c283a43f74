import { Role } from '@weft/proto/identity';
import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { until } from '@weft/service-kit/testing';
import { WORKFLOW_ID } from '../support/fake-executions';
import { grantRun } from '../support/run-with-claim';
import { newMasterKey, startService, type Replica, type TestService } from '../support/service-under-test';

const TYPE = 'httpBearerAuth';
const FORBIDDEN = { reason: 'FORBIDDEN' };
const NOT_GRANTED = { reason: 'CREDENTIAL_NOT_GRANTED' };
const ROLES = { admin: Role.ROLE_ADMIN, editor: Role.ROLE_EDITOR, viewer: Role.ROLE_VIEWER } as const;

interface StoredGrants {
  readonly _id: string;
  readonly ownerId: string;
  readonly grants: { readonly projectId: string; readonly signature: string }[];
}

describe('a grant of a credential', () => {
  let service: TestService;
  const [old, fresh] = [newMasterKey('old'), newMasterKey('fresh')];
  let [giver, taker, third] = ['', '', ''];
  /** Admin of the project that owns the credential. */
  let manager: Principal;
  /** Admin of the project that it is granted to. */
  let guest: Principal;
  let credentialId = '';

  const api = () => service.as('gateway').credentials;
  const projects = () => service.as('gateway').projects;
  const asOwner = () => ({ principal: service.owner });
  const makeProject = async (): Promise<string> =>
    (await projects().createProject({ name: 'p', closed: false }, asOwner())).project?.id ?? '';
  const join = async (projectId: string, role: keyof typeof ROLES, principal?: Principal): Promise<Principal> => {
    const member = principal ?? (await service.addUser('editor'));
    const user = { $case: 'userId', value: member.userId } as const;
    await projects().putProjectMember({ projectId, user, role: ROLES[role] }, asOwner());
    return member;
  };
  const grant = (projectId = taker, principal = manager, id = credentialId) =>
    api().grantCredential({ credentialId: id, projectId }, { principal });
  const revoke = (projectId = taker, principal = manager) =>
    api().revokeCredential({ credentialId, projectId }, { principal });
  const grantees = async (id = credentialId): Promise<string[]> =>
    (await api().listCredentialGrants({ credentialId: id }, asOwner())).grants.map(({ projectId }) => projectId);
  const granted = async (projectId = taker, principal = guest) =>
    (await api().listGrantedCredentials({ projectId, limit: 100, cursor: '' }, { principal })).credentials;
  const grantedIds = async (): Promise<string[]> => (await granted()).map(({ id }) => id);
  /** Uses it for a workflow of an owner. */
  const use = (ownerId = taker, id = credentialId, by: Pick<Replica, 'as'> = service) =>
    by.as('runner').credentials.useCredential({ ...grantRun(service, id, ownerId), type: TYPE });
  const collection = () => service.database.connection.collection<StoredGrants>('credentials');
  const records = (action: string) =>
    service.database.connection.collection('audit').find({ action, 'about.credentialId': credentialId }).toArray();

  beforeAll(async () => {
    service = await startService({ MASTER_KEY: old });
    [giver, taker, third] = [await makeProject(), await makeProject(), await makeProject()];
    manager = await join(giver, 'admin');
    guest = await join(taker, 'admin');
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    credentialId = (await service.addCredential({ projectId: giver, dataJson: '{"token":"s3cret"}' }, manager)).id;
  });

  it('lets only workflows of the project use it, until it ends', async () => {
    await expect(use()).rejects.toMatchObject(NOT_GRANTED);
    await grant();
    expect(JSON.parse((await use()).dataJson)).toEqual({ token: 's3cret' });
    // Neither workflows of other projects nor those of its members.
    for (const ownerId of [third, guest.userId]) await expect(use(ownerId)).rejects.toMatchObject(NOT_GRANTED);
    await revoke();
    await expect(use()).rejects.toMatchObject({
      ...NOT_GRANTED,
      message: expect.stringContaining('is not granted to the project "p"'),
    });
    expect((await use(giver)).dataJson).toContain('s3cret');
  });

  it('applies to webhooks that authenticate callers with it, until it ends', async () => {
    const headers = [{ name: 'x-key', value: 's3cret' }];
    const { id } = await service.addCredential(
      { projectId: giver, type: 'httpHeaderAuth', dataJson: '{"name":"x-key","value":"s3cret"}' },
      manager,
    );
    const knock = async () =>
      (
        await service
          .as('gateway')
          .credentials.verifyWebhookAuth({ authentication: 'headerAuth', credentialId: id, ownerId: taker, headers })
      ).granted;
    expect(await knock()).toBe(false);
    await grant(taker, manager, id);
    expect(await knock()).toBe(true);
    await api().revokeCredential({ credentialId: id, projectId: taker }, { principal: manager });
    expect(await knock()).toBe(false);
  });

  it('has ended at every replica when its revocation returns, however it is used meanwhile', async () => {
    const replica = await service.startReplica();
    let isUsing = true;
    const seen: { readonly began: number; readonly ended: number; readonly refused: boolean }[] = [];
    const users = [service, replica, service, replica].map(async (by) => {
      while (isUsing) {
        const began = performance.now();
        const refused = await use(taker, credentialId, by).then(
          () => false,
          () => true,
        );
        seen.push({ began, ended: performance.now(), refused });
      }
    });
    const over: (readonly [number, number])[] = [];
    try {
      for (let round = 0; round < 5; round += 1) {
        await grant();
        await until('it is used', () => Promise.resolve(seen.at(-1)?.refused === false));
        await revoke();
        const from = performance.now();
        const count = seen.length;
        await until('it is asked for', () => Promise.resolve(seen.length > count + 8));
        over.push([from, performance.now()]);
      }
    } finally {
      isUsing = false;
      await Promise.all(users);
    }
    // A use in progress when the credential is granted again may succeed.
    const after = seen.filter(({ began, ended }) => over.some(([from, to]) => began > from && ended < to));
    expect(after.length).toBeGreaterThan(10);
    expect(after.filter(({ refused }) => !refused)).toEqual([]);
  });

  it('is listed to managers of the credential and, without data, to each member of the project', async () => {
    await grant();
    await grant(third);
    const { grants } = await api().listCredentialGrants({ credentialId }, { principal: manager });
    expect(grants.map(({ projectId, grantedBy }) => [projectId, grantedBy])).toEqual([
      [taker, manager.userId],
      [third, manager.userId],
    ]);
    const shown = [
      { id: credentialId, name: 'a credential', type: TYPE, ownerId: giver, grantedAt: grants[0]?.grantedAt },
    ];
    for (const principal of [guest, await join(taker, 'editor'), await join(taker, 'viewer'), service.owner])
      expect((await granted(taker, principal)).filter(({ id }) => id === credentialId)).toEqual(shown);
    for (const principal of [manager, await service.addUser('editor'), { userId: taker, role: 'editor' } as const])
      await expect(granted(taker, principal)).rejects.toMatchObject(FORBIDDEN);
    await expect(granted(uuidv7())).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
    await revoke();
    await revoke(third);
    expect([await grantees(), await grantedIds()]).toEqual([[], expect.not.arrayContaining([credentialId])]);
  });

  it('is listed page by page', async () => {
    const ids = [credentialId];
    while (ids.length < 3) ids.push((await service.addCredential({ projectId: giver }, manager)).id);
    for (const id of ids) await grant(third, manager, id);
    const found: string[] = [];
    let cursor = '';
    do {
      const page = await api().listGrantedCredentials({ projectId: third, limit: 2, cursor }, asOwner());
      found.push(...page.credentials.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(found).toEqual(ids.toReversed());
  });

  it('gives no permission over the credential: members cannot read, change, test, share or delete it', async () => {
    await grant();
    const editor = await join(taker, 'editor');
    for (const principal of [guest, editor, { userId: taker, role: 'editor' } as const]) {
      const asGuest = { principal };
      const calls = [
        api().getCredential({ credentialId }, asGuest),
        api().updateCredential({ credentialId, dataJson: '{"token":"mine"}' }, asGuest),
        api().updateCredential({ credentialId, name: 'mine' }, asGuest),
        api().testCredential({ credentialId, url: 'https://example.com/' }, asGuest),
        api().deleteCredential({ credentialId, force: true }, asGuest),
        api().listCredentialGrants({ credentialId }, asGuest),
        grant(third, principal),
        revoke(taker, principal),
      ];
      for (const outcome of await Promise.allSettled(calls)) expect(outcome).toMatchObject({ reason: FORBIDDEN });
    }
    expect(await grantees()).toEqual([taker]);
    expect((await use()).dataJson).toContain('s3cret');
  });

  it('is created once and audited with its creator, as are its end and its use', async () => {
    const [first, again] = [await grant(), await grant(taker, service.owner)];
    expect(again).toEqual(first);
    await use();
    await revoke();
    await expect(revoke()).rejects.toMatchObject({ reason: 'GRANT_NOT_FOUND', details: { projectId: taker } });
    const about = { credentialId, projectId: taker };
    expect(await records('credential.grant')).toMatchObject([{ actor: manager.userId, about }]);
    expect(await records('credential.revoke')).toMatchObject([{ actor: manager.userId, about }]);
    expect(await records('credential.use')).toMatchObject([{ about: { credentialId, ownerId: taker } }]);
  });

  it('to a user covers all workflows of that user, and ends with the user', async () => {
    const other = await service.addUser('editor');
    await expect(use(other.userId)).rejects.toMatchObject(NOT_GRANTED);
    const { grant: made } = await grant(other.userId);
    expect(made).toMatchObject({ projectId: other.userId, grantedTo: 'user' });
    expect((await use(other.userId)).dataJson).toContain('s3cret');
    await expect(use(guest.userId)).rejects.toMatchObject(NOT_GRANTED);
    await revoke(other.userId);
    await expect(use(other.userId)).rejects.toMatchObject(NOT_GRANTED);
    await grant(other.userId);
    await service.as('gateway').users.deleteUser({ userId: other.userId, transferTo: '' }, asOwner());
    expect(await grantees()).toEqual([]);
    expect((await collection().findOne({ _id: credentialId }))?.grants).toEqual([]);
  });

  it('to an owner of the instance is needed, too: the role gives no right', async () => {
    await expect(use(service.owner.userId)).rejects.toMatchObject(NOT_GRANTED);
    await grant(service.owner.userId);
    expect((await use(service.owner.userId)).dataJson).toContain('s3cret');
  });

  it('to a workflow covers that workflow under any owner', async () => {
    service.workflows.existing.add(WORKFLOW_ID);
    await expect(use(third)).rejects.toMatchObject(NOT_GRANTED);
    const { grant: made } = await grant(WORKFLOW_ID);
    expect(made).toMatchObject({ projectId: WORKFLOW_ID, grantedTo: 'workflow' });
    expect((await use(third)).dataJson).toContain('s3cret');
    const question = { ownerId: third, references: [{ type: '', id: credentialId, name: '' }] };
    const check = async (workflowId: string) =>
      (await service.as('workflows').credentials.findCredentials({ ...question, workflowId })).found[0]?.refusal;
    expect(await check(WORKFLOW_ID)).toBeUndefined();
    expect(await check(uuidv7())).toContain('is not granted to');
    await revoke(WORKFLOW_ID);
    await expect(use(third)).rejects.toMatchObject(NOT_GRANTED);
  });

  it('is limited to projects that are not being deleted, users and workflows, other than its owner', async () => {
    for (const projectId of [uuidv7(), 'nonsense'])
      await expect(grant(projectId)).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
    await expect(grant(giver)).rejects.toMatchObject({ fields: [{ field: 'projectId' }] });
    await expect(api().grantCredential({ credentialId: uuidv7(), projectId: taker }, asOwner())).rejects.toMatchObject({
      reason: 'CREDENTIAL_NOT_FOUND',
    });
    const left = await makeProject();
    await service.database.connection
      .collection<{ _id: string }>('projects')
      .updateOne({ _id: left }, { $set: { deletingAt: new Date() } });
    await expect(grant(left)).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
  });

  it('is limited to 50 per credential', async () => {
    const grants = Array.from({ length: 50 }, () => uuidv7());
    await grant();
    const [signed] = (await collection().findOne({ _id: credentialId }))?.grants ?? [];
    // Grants to missing projects are invalid, and do not count.
    await collection().updateOne(
      { _id: credentialId },
      { $push: { grants: { $each: grants.map((projectId) => ({ ...signed, projectId, signature: 'x' })) } } },
    );
    await grant(third);
    expect(await grantees()).toEqual([taker, third]);
    for (let index = 2; index < 50; index += 1) await grant(await makeProject());
    await expect(grant(await makeProject())).rejects.toMatchObject({
      reason: 'TOO_MANY_GRANTS',
      details: { limit: '50' },
    });
  });

  it('cannot be forged with write access to the database but no master key', async () => {
    await grant();
    const [stolen] = (await collection().findOne({ _id: credentialId }))?.grants ?? [];
    const other = (await service.addCredential({ projectId: giver }, manager)).id;
    const enter = (id: string, projectId: string) =>
      collection().updateOne(
        { _id: id },
        { $push: { grants: { ...stolen, projectId, signature: stolen?.signature ?? '' } } },
      );
    await enter(credentialId, third);
    await enter(other, taker);
    await expect(use(third)).rejects.toMatchObject(NOT_GRANTED);
    await expect(use(taker, other)).rejects.toMatchObject(NOT_GRANTED);
    expect([await grantees(), await grantees(other)]).toEqual([[taker], []]);
    expect((await granted(third, service.owner)).map(({ id }) => id)).not.toContain(credentialId);
  });

  it('survives a change of name and data', async () => {
    await grant();
    await api().updateCredential({ credentialId, name: 'renamed' }, { principal: manager });
    await api().updateCredential({ credentialId, dataJson: '{"token":"changed"}' }, { principal: manager });
    expect((await use()).dataJson).toContain('changed');
    expect(await grantees()).toEqual([taker]);
  });

  it('ends when the credential moves, or when either is deleted', async () => {
    await grant();
    await projects().transferCredential({ credentialId, projectId: third }, asOwner());
    await expect(use()).rejects.toMatchObject(NOT_GRANTED);
    expect((await collection().findOne({ _id: credentialId }))?.grants).toEqual([]);
    await projects().transferCredential({ credentialId, projectId: giver }, asOwner());
    expect(await grantees()).toEqual([]);
    const passing = await makeProject();
    await grant(passing);
    await grant();
    await projects().deleteProject({ projectId: passing, transferTo: '' }, asOwner());
    expect(await grantees()).toEqual([taker]);
    const stored = await collection().findOne({ _id: credentialId });
    expect(stored?.grants.map(({ projectId }) => projectId)).toEqual([taker]);
    await api().deleteCredential({ credentialId }, { principal: manager });
    expect(await grantedIds()).not.toContain(credentialId);
    await expect(use()).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
  });

  it('counts at a deletion: workflows of the project use it, visible or not', async () => {
    await grant();
    service.workflows.hiding.add(credentialId);
    const remove = () => api().deleteCredential({ credentialId }, { principal: { ...manager, reads: [third] } });
    await expect(remove()).rejects.toMatchObject({
      reason: 'CREDENTIAL_IN_USE',
      message: expect.stringContaining('closed projects that it is granted to'),
      details: { workflowIds: '', hidden: 'true' },
    });
    expect(service.workflows.asked.at(-1)).toMatchObject({
      ownerId: giver,
      grantedProjectIds: [taker],
      manager: { userId: manager.userId, role: 'editor', readProjectIds: [third], inRun: false },
    });
  });

  it('survives a change of the master key', async () => {
    await grant();
    await service.startReplica({ MASTER_KEY: fresh, MASTER_KEY_PREVIOUS: old });
    const sealed = service.database.connection.collection<{ _id: string; sealed: { kid: string } }>('credentials');
    await until('it is moved', async () => (await sealed.findOne({ _id: credentialId }))?.sealed.kid === 'fresh');
    const after = await service.startReplica({ MASTER_KEY: fresh });
    expect((await use(taker, credentialId, after)).dataJson).toContain('s3cret');
  });
});
