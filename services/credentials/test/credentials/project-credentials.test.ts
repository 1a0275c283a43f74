import { Role } from '@weft/proto/identity';
import { CredentialServiceService } from '@weft/proto/credentials';
import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { grantRun, readData } from '../support/run-with-claim';
import { startService, type TestService } from '../support/service-under-test';

const HEADER = { name: 'a header', type: 'httpHeaderAuth', dataJson: '{"name":"x-key","value":"s3cret-word"}' };
const POSTGRES = {
  name: 'a database',
  type: 'postgres',
  dataJson: '{"host":"db.example.com","user":"weft","password":"s3cret-word"}',
};

describe('credentials of projects', () => {
  let service: TestService;
  let folder = '';
  let [project, other, grantee] = ['', '', ''];
  /** An editor of the instance who is an admin of the project. */
  let admin: Principal;
  /** All other users, by their memberships. */
  const others = new Map<string, Principal>();

  const api = () => service.as('gateway').credentials;
  const create = (principal: Principal, fields: Partial<typeof HEADER & { projectId: string }> = {}) =>
    api().createCredential({ ...HEADER, ...fields }, { principal });
  const idOf = async (principal: Principal, fields: Parameters<typeof create>[1] = {}): Promise<string> =>
    (await create(principal, fields)).credential?.id ?? '';
  const list = (principal: Principal, asked: { projectId?: string; limit?: number; cursor?: string } = {}) =>
    api().listCredentials({ limit: 100, cursor: '', ...asked }, { principal });
  const idsOf = async (...asked: Parameters<typeof list>) =>
    (await list(...asked)).credentials.map(({ id }) => id).sort();
  const update = (principal: Principal, credentialId: string, change: Partial<typeof HEADER>) =>
    api().updateCredential({ credentialId, ...change }, { principal });
  /** Each call that reads or changes one credential. */
  const callsOn = (
    credentialId: string,
    principal: Principal,
  ): readonly (readonly [string, () => Promise<unknown>])[] => [
    ['get', () => api().getCredential({ credentialId }, { principal })],
    ['update', () => update(principal, credentialId, { name: 'mine' })],
    ['test', () => api().testCredential({ credentialId, url: 'https://example.com/' }, { principal })],
    ['list grants', () => api().listCredentialGrants({ credentialId }, { principal })],
    ['list uses', () => api().listCredentialUses({ credentialId }, { principal })],
    ['grant', () => api().grantCredential({ credentialId, projectId: grantee }, { principal })],
    ['revoke', () => api().revokeCredential({ credentialId, projectId: grantee }, { principal })],
    ['delete', () => api().deleteCredential({ credentialId }, { principal })],
  ];
  const member = async (projectId: string, role: Role, principal: Principal): Promise<Principal> => {
    const user = { $case: 'userId', value: principal.userId } as const;
    await service.as('gateway').projects.putProjectMember({ projectId, user, role }, { principal: service.owner });
    return principal;
  };
  const makeProject = async (): Promise<string> =>
    (await service.as('gateway').projects.createProject({ name: 'p', closed: false }, { principal: service.owner }))
      .project?.id ?? '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-project-credentials-'));
    await writeFile(join(folder, 'mounted'), 'secret of the operator');
    service = await startService({ CREDENTIAL_FILES_DIR: folder });
    [project, other, grantee] = [await makeProject(), await makeProject(), await makeProject()];
    admin = await member(project, Role.ROLE_ADMIN, await service.addUser('editor'));
    others.set('editor of the project', await member(project, Role.ROLE_EDITOR, await service.addUser('editor')));
    others.set('viewer of the project', await member(project, Role.ROLE_VIEWER, await service.addUser('editor')));
    // The role in the instance is the upper limit.
    others.set('viewer of the instance', await member(project, Role.ROLE_ADMIN, await service.addUser('viewer')));
    others.set('editor of the instance', await service.addUser('editor'));
    // A run that acts for the project is not an admin of it: the project's editors may write its workflows.
    others.set('run of the project', { userId: project, role: 'editor' });
  });
  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  it('are created, listed, read, renamed, tested and deleted by its admins', async () => {
    const { credential } = await create(admin, { projectId: project });
    expect(credential).toMatchObject({ ownerId: project, name: HEADER.name });
    const id = credential?.id ?? '';
    for (const asked of [{}, { projectId: project }]) expect(await idsOf(admin, asked)).toEqual([id]);
    for (const [, call] of callsOn(id, admin)) await call();
    expect(await idsOf(admin)).toEqual([]);
    const record = await service.database.connection
      .collection('audit')
      .findOne({ action: 'credential.create', 'about.credentialId': id });
    expect(record).toMatchObject({ actor: admin.userId, about: { projectId: project } });
  });

  it('can then be used by workflows of the project, and no others', async () => {
    const id = await idOf(admin, { projectId: project });
    const use = (ownerId: string) =>
      service.as('runner').credentials.useCredential({ ...grantRun(service, id, ownerId), type: HEADER.type });
    expect(JSON.parse((await use(project)).dataJson)).toEqual({ name: 'x-key', value: 's3cret-word' });
    for (const ownerId of [admin.userId, other])
      await expect(use(ownerId)).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_GRANTED' });
    await api().deleteCredential({ credentialId: id }, { principal: admin });
  });

  it('are out of reach of everyone else: other members, and runs that act for the project', async () => {
    const id = await idOf(service.owner, { projectId: project });
    for (const [who, principal] of others) {
      for (const [call, done] of [
        ...callsOn(id, principal),
        ['list', () => list(principal)] as const,
        ['list of the project', () => list(principal, { projectId: project })] as const,
        ['create', () => create(principal, { projectId: project })] as const,
        ['create for oneself', () => create(principal)] as const,
      ])
        expect([who, call, await done().catch((error: unknown) => error)]).toEqual([
          who,
          call,
          expect.objectContaining({ reason: 'FORBIDDEN' }),
        ]);
    }
    expect(await idsOf(service.owner, { projectId: project })).toEqual([id]);
  });

  it('are signed in with by its admins only', async () => {
    const id = await idOf(admin, {
      projectId: project,
      type: 'slackOAuth2Api',
      dataJson: '{"clientId":"client","clientSecret":"s3cret-word"}',
    });
    const start = (principal: Principal) =>
      api().startLogin(
        { credentialId: id, sessionToken: 'a'.repeat(43), redirectUri: 'https://weft.example/callback' },
        { principal },
      );
    expect((await start(admin)).url).toContain('client_id=client');
    for (const principal of others.values())
      await expect(start(principal)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await api().deleteCredential({ credentialId: id }, { principal: admin });
  });

  it('are refused to admins of other projects, and left out of their lists', async () => {
    const foreign = [
      await idOf(service.owner),
      await idOf(service.owner, { projectId: other }),
      await idOf(service.owner, { projectId: admin.userId }),
    ];
    const probes = service.runner.probed.length;
    await expect(api().getCredential({ credentialId: uuidv7() }, { principal: admin })).rejects.toMatchObject({
      reason: 'CREDENTIAL_NOT_FOUND',
    });
    for (const id of foreign) {
      for (const [call, done] of callsOn(id, admin))
        expect([call, await done().catch((error: unknown) => error)]).toEqual([
          call,
          expect.objectContaining({ reason: 'FORBIDDEN' }),
        ]);
      expect(await idsOf(admin)).not.toContain(id);
    }
    expect(service.runner.probed).toHaveLength(probes);
    await expect(list(admin, { projectId: other })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(create(admin, { projectId: other })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(create(admin, { projectId: uuidv7() })).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
    await expect(create(admin)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect(await idsOf(service.owner)).toEqual(expect.arrayContaining(foreign));
  });

  it('are lost with the membership from the next call on', async () => {
    const passing = await member(project, Role.ROLE_ADMIN, await service.addUser('editor'));
    await list(passing);
    await member(project, Role.ROLE_EDITOR, passing);
    // Even with an earlier token: the stored membership counts.
    await expect(list({ ...passing, projects: [project] })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('are narrowed by the scopes of a key', async () => {
    const reading: Principal = { ...admin, scopes: ['credentials:read'] };
    await list(reading);
    await expect(create(reading, { projectId: project })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(list({ ...admin, scopes: ['workflows:write'] })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('are moved only by owners and admins of the instance', async () => {
    const credentialId = await idOf(admin, { projectId: project });
    const move = (principal: Principal, projectId: string) =>
      service.as('gateway').projects.transferCredential({ credentialId, projectId }, { principal });
    const second = await makeProject();
    await member(second, Role.ROLE_ADMIN, admin);
    for (const projectId of [second, admin.userId])
      await expect(move({ ...admin, projects: [project, second] }, projectId)).rejects.toMatchObject({
        reason: 'FORBIDDEN',
      });
    await move(await service.addUser('admin'), second);
    expect(await idsOf(admin, { projectId: second })).toEqual([credentialId]);
  });

  describe('with secrets entered by others', () => {
    let id = '';
    beforeEach(async () => {
      id = await idOf(service.owner, { ...POSTGRES, projectId: project });
    });
    const data = () => readData(service, id, POSTGRES.type);

    it('cannot be redirected by its admins: new data includes the secrets, or loses them', async () => {
      const elsewhere = '{"host":"evil.example","user":"weft"}';
      await update(admin, id, { dataJson: elsewhere });
      expect(await data()).toEqual(JSON.parse(elsewhere));
      const own = '{"host":"other.example","user":"u","password":"their own"}';
      await update(admin, id, { dataJson: own });
      expect(await data()).toEqual(JSON.parse(own));
      // A secret required by the type must be included.
      const header = await idOf(service.owner, { projectId: project });
      await expect(update(admin, header, { dataJson: '{"name":"x-other"}' })).rejects.toMatchObject({
        fields: [{ field: 'data.value' }],
      });
    });

    it('cannot change to another type, which may send them to any host', async () => {
      for (const type of ['mySql', 'httpBasicAuth'])
        await expect(update(admin, id, { type })).rejects.toMatchObject({ fields: [{ field: 'data' }] });
      await update(admin, id, { name: 'renamed' });
      expect(await data()).toEqual(JSON.parse(POSTGRES.dataJson));
    });

    it('are kept for owners and admins of the instance', async () => {
      await update(service.owner, id, { dataJson: '{"host":"new.example","user":"weft"}' });
      expect(await data()).toMatchObject({ host: 'new.example', password: 's3cret-word' });
    });
  });

  describe("and the operator's files", () => {
    const naming = (file: string) => JSON.stringify({ name: 'x-key', value: { fromFile: file } });

    it('are refused to its admins, who do not even learn which files exist', async () => {
      const id = await idOf(admin, { projectId: project });
      const refusals = await Promise.all(
        ['mounted', 'missing'].flatMap((file) => [
          create(admin, { projectId: project, dataJson: naming(file) }).catch((error: unknown) => error),
          // An escape encodes the same name.
          create(admin, { projectId: project, dataJson: naming(file).replace('fromFile', '\\u0066romFile') }).catch(
            (error: unknown) => error,
          ),
          update(admin, id, { dataJson: naming(file) }).catch((error: unknown) => error),
        ]),
      );
      const fields = [{ field: 'data.value', message: expect.stringContaining('only owners and admins') }];
      for (const refusal of refusals) expect(refusal).toMatchObject({ fields });
      await create(service.owner, { projectId: project, dataJson: naming('mounted') });
    });
  });

  it('has a use case for each method that users may call, all of which are tested above', () => {
    const tried = ['create', 'list', 'get', 'update', 'delete', 'test'].map((verb) =>
      verb === 'list' ? 'listCredentials' : `${verb}Credential`,
    );
    const grants = ['listCredentialGrants', 'grantCredential', 'revokeCredential', 'listCredentialUses'];
    // Not a use case of this kind: it is for members, in credential-grants.test.ts.
    const others = ['listGrantedCredentials', 'listCredentialTypes', 'getCredentialType'];
    const signIns = ['startLogin', 'finishLogin'];
    // For all who may use the credential, in list-node-options.test.ts.
    const uses = ['listNodeOptions'];
    const ofServices = [
      'useCredential',
      'issueRunToken',
      'findCredentials',
      'verifyWebhookAuth',
      'signNotifications',
      'callHook',
    ];
    expect([...tried, ...grants, ...others, ...signIns, ...uses, ...ofServices].sort()).toEqual(
      Object.keys(CredentialServiceService).sort(),
    );
  });
});

describe('CheckDestination', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const check = (projectId: string) => service.as('workflows').projects.checkDestination({ projectId });

  it('accepts only projects that are not being deleted and active users who are not viewers', async () => {
    const { projects, users } = service.as('gateway');
    const owner = { principal: service.owner };
    const id = (await projects.createProject({ name: 'p', closed: false }, owner)).project?.id ?? '';
    await check(id);
    const editor = await service.addUser('editor');
    await check(editor.userId);
    await users.lockUser({ userId: editor.userId }, owner);
    const viewer = await service.addUser('viewer');
    service.workflows.owned.set(id, 1);
    service.workflows.setAway(true);
    await projects.deleteProject({ projectId: id, transferTo: service.owner.userId }, owner).catch(() => undefined);
    for (const refused of [id, editor.userId, viewer.userId, uuidv7(), 'nowhere', ''])
      await expect(check(refused)).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
  });

  it('is restricted to the workflows service', async () => {
    for (const [name, options] of [
      ['gateway', { principal: service.owner }],
      ['gateway', {}],
      ['runner', {}],
    ] as const)
      await expect(
        service.as(name).projects.checkDestination({ projectId: service.owner.userId }, options),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
