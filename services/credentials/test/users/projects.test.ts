import { Role } from '@weft/proto/identity';
import { WorkflowServiceService } from '@weft/proto/workflows';
import { createTokenVerifier, type Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { CLOSED_PROJECTS_LEASE_MS } from '@weft/service-kit/visibility';
import { grantRun } from '../support/run-with-claim';
import { PASSWORD, startService, type TestService } from '../support/service-under-test';

describe('ProjectService', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  const projects = () => service.as('gateway').projects;
  const owner = () => ({ principal: service.owner });
  const make = async (name = 'a project'): Promise<string> =>
    (await projects().createProject({ name, closed: false }, owner())).project?.id ?? '';
  const put = (projectId: string, userId: string, role: Role, principal: Principal = service.owner) =>
    projects().putProjectMember({ projectId, user: { $case: 'userId', value: userId }, role }, { principal });
  const remove = (projectId: string, userId: string, principal: Principal = service.owner) =>
    projects().removeProjectMember({ projectId, userId }, { principal });
  /** The projects carried by a key of the user. */
  const keyOf = async (principal: Principal): Promise<() => Promise<string[]>> => {
    const { value } = await service.as('gateway').apiKeys.createApiKey({ name: 'k', scopes: [] }, { principal });
    return async () =>
      (await service.as('gateway').apiKeys.verifyApiKey({ proof: { $case: 'apiKey', value }, count: 1 })).projectIds;
  };
  const audited = (action: string, projectId: string) =>
    service.database.connection.collection('audit').countDocuments({ action, 'about.projectId': projectId });

  it('creates, lists and renames projects', async () => {
    const id = await make('  first  ');
    expect((await projects().getProject({ projectId: id }, owner())).project).toMatchObject({ id, name: 'first' });
    const admin = await service.addUser('admin');
    await projects().renameProject({ projectId: id, name: 'renamed' }, { principal: admin });
    const viewer = await service.addUser('viewer');
    const list = await projects().listProjects({ limit: 100, cursor: '' }, { principal: viewer });
    expect(list.projects.map(({ name }) => name)).toContain('renamed');
    expect(await audited('project.create', id)).toBe(1);
    expect(await audited('project.update', id)).toBe(1);
  });

  it('accepts a name of 100 characters of any kind', async () => {
    const name = '\u{1F600}'.repeat(100);
    expect((await projects().getProject({ projectId: await make(name) }, owner())).project?.name).toBe(name);
  });

  describe('closed projects', () => {
    const listed = (knownVersion = '') => service.as('workflows').projects.listClosedProjects({ knownVersion });
    const change = (projectId: string, closed: boolean | undefined, principal: Principal = service.owner) =>
      projects().renameProject({ projectId, name: 'p', ...(closed === undefined ? {} : { closed }) }, { principal });
    /** Duration of a call in milliseconds. */
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const begun = performance.now();
      await work();
      return performance.now() - begun;
    };

    it('are closed and opened by their managers, and shown as such', async () => {
      const id = await make();
      const [admin, editor] = [await service.addUser('editor'), await service.addUser('editor')];
      await put(id, admin.userId, Role.ROLE_ADMIN);
      await put(id, editor.userId, Role.ROLE_EDITOR);
      await expect(change(id, true, editor)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
      expect((await change(id, true, admin)).project).toMatchObject({ id, closed: true });
      expect((await projects().getProject({ projectId: id }, owner())).project).toMatchObject({ closed: true });
      const { projects: list } = await projects().listProjects({ limit: 100, cursor: '' }, { principal: editor });
      expect(list.find((one) => one.id === id)).toMatchObject({ closed: true });
      expect((await change(id, undefined, admin)).project).toMatchObject({ closed: true });
      expect((await listed()).projectIds).toContain(id);
      expect((await change(id, false, admin)).project).toMatchObject({ closed: false });
      expect((await listed()).projectIds).not.toContain(id);
    });

    it('are reported once no process uses an earlier response any more', async () => {
      const closing = timed(() => projects().createProject({ name: 'c', closed: true }, owner()));
      const id = await make();
      for (const took of [await closing, await timed(() => change(id, true)), await timed(() => change(id, true))])
        expect(took).toBeGreaterThanOrEqual(CLOSED_PROJECTS_LEASE_MS - 1);
      for (const closed of [undefined, false])
        expect(await timed(() => change(id, closed))).toBeLessThan(CLOSED_PROJECTS_LEASE_MS);
    });

    it('are listed again only after a change, and only to services', async () => {
      const id = await make();
      const { version } = await listed();
      await change(id, true);
      const closed = await listed(version);
      expect(closed).toMatchObject({ unchanged: false, projectIds: expect.arrayContaining([id]) });
      expect(await listed(closed.version)).toEqual({ version: closed.version, projectIds: [], unchanged: true });
      await change(id, false);
      expect(await listed(closed.version)).toMatchObject({ unchanged: false });
      await expect(projects().listClosedProjects({ knownVersion: '' }, owner())).rejects.toMatchObject({
        reason: 'FORBIDDEN',
      });
    });

    it('are all closed when many are closed concurrently', async () => {
      const ids = await Promise.all(Array.from({ length: 8 }, () => make()));
      await Promise.all(ids.map((id) => change(id, true)));
      expect((await listed()).projectIds).toEqual(expect.arrayContaining(ids));
    });

    it('stay closed when they are deleted, and are recorded in the audit log', async () => {
      const id = await make();
      for (const closed of [true, false, true]) await change(id, closed);
      await projects().deleteProject({ projectId: id, transferTo: '' }, owner());
      expect((await listed()).projectIds).toContain(id);
      const about = { action: 'project.update', 'about.projectId': id };
      const records = service.database.connection
        .collection('audit')
        .find({ ...about, 'about.closed': { $exists: true } });
      expect((await records.sort({ _id: 1 }).toArray()).map((record) => record['about']['closed'])).toEqual([
        'true',
        'false',
        'true',
      ]);
    });

    it('are included in keys and sessions of users who only read them', async () => {
      const id = await make();
      const user = await service.addUser('editor');
      const { apiKeys, sessions } = service.as('gateway');
      const { value } = await apiKeys.createApiKey({ name: 'k', scopes: [] }, { principal: user });
      const { sessionToken } = await sessions.signIn({ email: user.email, password: PASSWORD, clientAddress: '' });
      const reads = async () => [
        (await apiKeys.verifyApiKey({ proof: { $case: 'apiKey', value }, count: 1 })).readProjectIds,
        (await sessions.verifySession({ sessionToken })).readProjectIds,
      ];
      expect(await reads()).toEqual([[], []]);
      await put(id, user.userId, Role.ROLE_VIEWER);
      expect(await reads()).toEqual([[id], [id]]);
      await put(id, user.userId, Role.ROLE_EDITOR);
      expect(await reads()).toEqual([[], []]);
    });
  });

  it.each([' ', 'x'.repeat(101), 'a\nb', 'a\n'])('refuses the name %j', async (name) => {
    const making = projects().createProject({ name, closed: false }, owner());
    await expect(making).rejects.toMatchObject({ fields: [{ field: 'name' }] });
  });

  it('adds and removes the project for all keys and sessions of a member from the next request on', async () => {
    const id = await make();
    const editor = await service.addUser('editor');
    const ofKey = await keyOf(editor);
    const { sessions } = service.as('gateway');
    const { sessionToken } = await sessions.signIn({ email: editor.email, password: PASSWORD, clientAddress: '' });
    const ofSession = async () => (await sessions.verifySession({ sessionToken })).projectIds;
    expect(await ofKey()).toEqual([]);
    await put(id, editor.userId, Role.ROLE_EDITOR);
    expect([await ofKey(), await ofSession()]).toEqual([[id], [id]]);
    await put(id, editor.userId, Role.ROLE_VIEWER);
    expect([await ofKey(), await ofSession()]).toEqual([[], []]);
    await put(id, editor.userId, Role.ROLE_ADMIN);
    expect([await ofKey(), await ofSession()]).toEqual([[id], [id]]);
    await remove(id, editor.userId);
    expect([await ofKey(), await ofSession()]).toEqual([[], []]);
    await expect(remove(id, editor.userId)).rejects.toMatchObject({ reason: 'MEMBER_NOT_FOUND' });
    expect(await audited('project.put-member', id)).toBe(3);
    expect(await audited('project.remove-member', id)).toBe(1);
  });

  it('adds a member by email, and shows members only to members, owners and admins', async () => {
    const id = await make();
    const [editor, stranger] = [await service.addUser('editor'), await service.addUser('editor')];
    const user = { $case: 'email', value: editor.email.toUpperCase() } as const;
    const { member } = await projects().putProjectMember({ projectId: id, user, role: Role.ROLE_EDITOR }, owner());
    expect(member).toEqual({ userId: editor.userId, email: editor.email, name: '', role: Role.ROLE_EDITOR });
    const list = (principal: Principal) => projects().listProjectMembers({ projectId: id }, { principal });
    expect((await list(service.owner)).members).toEqual([member]);
    expect((await list(editor)).members).toEqual([member]);
    await expect(list(stranger)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    const unknown = { $case: 'email', value: 'nobody@example.test' } as const;
    await expect(
      projects().putProjectMember({ projectId: id, user: unknown, role: Role.ROLE_EDITOR }, owner()),
    ).rejects.toMatchObject({ reason: 'USER_NOT_FOUND', details: { email: 'nobody@example.test' } });
  });

  it('is managed by its admins, not by its editors, the admins of others, or viewers of the instance', async () => {
    const [id, other] = [await make(), await make()];
    const [admin, editor, viewer, outsider, newcomer] = [
      await service.addUser('editor'),
      await service.addUser('editor'),
      await service.addUser('viewer'),
      await service.addUser('editor'),
      await service.addUser('editor'),
    ];
    await put(id, admin.userId, Role.ROLE_ADMIN);
    await put(id, editor.userId, Role.ROLE_EDITOR);
    await put(id, viewer.userId, Role.ROLE_ADMIN);
    await put(other, outsider.userId, Role.ROLE_ADMIN);
    const outsiderSaysSo = { ...outsider, projects: [id, other] };
    for (const actor of [editor, viewer, outsider, outsiderSaysSo]) {
      await expect(put(id, newcomer.userId, Role.ROLE_VIEWER, actor)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
      await expect(put(id, actor.userId, Role.ROLE_ADMIN, actor)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
      await expect(remove(id, admin.userId, actor)).rejects.toMatchObject({ reason: 'FORBIDDEN' });
      await expect(
        projects().renameProject({ projectId: id, name: 'mine' }, { principal: actor }),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
      await expect(
        projects().deleteProject({ projectId: id, transferTo: '' }, { principal: actor }),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    }
    await put(id, newcomer.userId, Role.ROLE_EDITOR, admin);
    // Everyone may leave.
    await remove(id, newcomer.userId, newcomer);
    await remove(id, editor.userId, admin);
  });

  it('refuses members without a project role, and unknown users', async () => {
    const id = await make();
    const editor = await service.addUser('editor');
    for (const role of [Role.ROLE_OWNER, Role.ROLE_UNSPECIFIED])
      await expect(put(id, editor.userId, role)).rejects.toMatchObject({ fields: [{ field: 'role' }] });
    await expect(put(id, uuidv7(), Role.ROLE_EDITOR)).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
    await expect(put(uuidv7(), editor.userId, Role.ROLE_EDITOR)).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
    await expect(
      projects().putProjectMember({ projectId: id, user: undefined, role: Role.ROLE_EDITOR }, owner()),
    ).rejects.toMatchObject({ fields: [{ field: 'user' }] });
  });

  it('limits the projects of a user and the members of a project', async () => {
    const users = service.database.connection.collection<{ _id: string }>('users');
    const [many, id] = [await service.addUser('editor'), await make()];
    const memberships = Array.from({ length: 49 }, () => ({ projectId: uuidv7(), role: 'editor' }));
    await users.updateOne({ _id: many.userId }, { $set: { memberships } });
    await put(id, many.userId, Role.ROLE_EDITOR);
    await expect(put(await make(), many.userId, Role.ROLE_EDITOR)).rejects.toMatchObject({
      reason: 'TOO_MANY_MEMBERSHIPS',
    });
    // The role of an existing membership can still be changed.
    await put(id, many.userId, Role.ROLE_ADMIN);
    await users.insertMany(
      Array.from({ length: 49 }, (_, index) => ({
        _id: uuidv7(),
        email: `crowd${index}@example.test`,
        role: 'viewer',
        passwordHash: 'x',
        createdAt: new Date(),
        memberships: [{ projectId: id, role: 'viewer' }],
      })),
    );
    const { userId } = await service.addUser('editor');
    await expect(put(id, userId, Role.ROLE_EDITOR)).rejects.toMatchObject({ reason: 'TOO_MANY_MEMBERS' });
  });

  it('keeps one membership of a user who is added many times concurrently', async () => {
    const [id, editor] = [await make(), await service.addUser('editor')];
    await Promise.all(Array.from({ length: 10 }, () => put(id, editor.userId, Role.ROLE_EDITOR)));
    const stored = await service.database.connection.collection('users').findOne({ email: editor.email });
    expect(stored?.['memberships']).toEqual([{ projectId: id, role: 'editor' }]);
  });

  it('is removed from members who are being written concurrently', async () => {
    const users = service.database.connection.collection<{ _id: string }>('users');
    const editor = await service.addUser('editor');
    const ofKey = await keyOf(editor);
    for (let round = 0; round < 20; round += 1) {
      const id = await make();
      await put(id, editor.userId, Role.ROLE_EDITOR);
      const writes = Array.from({ length: 5 }, (_, write) =>
        users.updateOne({ _id: editor.userId }, { $set: { name: `${round} ${write}` } }),
      );
      await Promise.all([
        round % 2 === 0
          ? remove(id, editor.userId)
          : projects().deleteProject({ projectId: id, transferTo: '' }, owner()),
        ...writes,
      ]);
      expect(await ofKey()).toEqual([]);
    }
  });

  describe('the contents of a project', () => {
    it('can be moved by users who may change the destination; workflows then checks the object', async () => {
      const id = await make();
      const [editor, stranger] = [await service.addUser('editor'), await service.addUser('editor')];
      await put(id, editor.userId, Role.ROLE_EDITOR);
      const member = { ...editor, projects: [id] };
      await projects().transferWorkflow({ workflowId: 'w', projectId: id }, { principal: member });
      await projects().transferVariable({ variableId: 'v', projectId: id }, { principal: member });
      await projects().transferDataTable({ dataTableId: 't', projectId: editor.userId }, { principal: member });
      const asMember = { userId: editor.userId, role: 'editor', projectIds: [id] };
      expect(service.workflows.moved).toEqual([
        { thing: { $case: 'workflowId', value: 'w' }, toOwnerId: id, ...asMember },
        { thing: { $case: 'variableId', value: 'v' }, toOwnerId: id, ...asMember },
        { thing: { $case: 'dataTableId', value: 't' }, toOwnerId: editor.userId, ...asMember },
      ]);
      for (const [principal, projectId, reason] of [
        [stranger, id, 'FORBIDDEN'],
        [stranger, editor.userId, 'FORBIDDEN'],
        [member, uuidv7(), 'PROJECT_NOT_FOUND'],
        [service.owner, uuidv7(), 'PROJECT_NOT_FOUND'],
        [service.owner, 'nowhere', 'PROJECT_NOT_FOUND'],
      ] as const)
        await expect(projects().transferWorkflow({ workflowId: 'w', projectId }, { principal })).rejects.toMatchObject({
          reason,
        });
      expect(service.workflows.moved).toHaveLength(3);
    });

    it('include credentials: workflows of the project may use them, those of its members may not', async () => {
      const [id, other] = [await make(), await make()];
      const [editor, admin] = [await service.addUser('editor'), await service.addUser('admin')];
      await put(id, editor.userId, Role.ROLE_ADMIN);
      const { id: credentialId } = await service.addCredential({ dataJson: '{"token":"shared"}' }, admin);
      const use = (ownerId: string) =>
        service.as('runner').credentials.useCredential({
          ...grantRun(service, credentialId, ownerId),
          type: 'httpBearerAuth',
        });
      await expect(use(id)).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_GRANTED' });
      const transfer = (principal: Principal) =>
        projects().transferCredential({ credentialId, projectId: id }, { principal });
      await expect(transfer({ ...editor, projects: [id] })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
      await transfer(admin);
      await transfer(admin);
      expect(JSON.parse((await use(id)).dataJson)).toEqual({ token: 'shared' });
      for (const stranger of [other, editor.userId, uuidv7()])
        await expect(use(stranger)).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_GRANTED' });
      await expect(
        projects().transferCredential({ credentialId: uuidv7(), projectId: id }, { principal: admin }),
      ).rejects.toMatchObject({ reason: 'CREDENTIAL_NOT_FOUND' });
    });

    it('act in nodes that call this instance as an editor who owns them', async () => {
      const id = await make();
      const { path: method } = WorkflowServiceService.getWorkflow;
      const issue = async (ownerId: string) => {
        const run = { executionId: uuidv7(), fence: 3, node: 'Instance' };
        service.executions.grant({ ...run, credentialId: '', nodeKind: 'n8n' }, ownerId);
        const { token } = await service.as('runner').credentials.issueRunToken({ ...run, method });
        return createTokenVerifier('workflows', service.publicKeys)(token, method).principal;
      };
      expect(await issue(id)).toEqual({ userId: id, role: 'editor', inRun: true });
      const editor = await service.addUser('editor');
      await put(id, editor.userId, Role.ROLE_EDITOR);
      expect(await issue(editor.userId)).toEqual({
        userId: editor.userId,
        role: 'editor',
        projects: [id],
        inRun: true,
      });
      await expect(issue(uuidv7())).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    });

    it('include what a deleted user owned', async () => {
      const [id, leaver] = [await make(), await service.addUser('editor')];
      service.workflows.owned.set(leaver.userId, 2);
      await service.as('gateway').users.deleteUser({ userId: leaver.userId, transferTo: id }, owner());
      expect(service.workflows.owned.get(id)).toBe(2);
    });
  });

  describe('DeleteProject', () => {
    const destroy = (projectId: string, transferTo = '') =>
      projects().deleteProject({ projectId, transferTo }, owner());

    it('removes an empty project from its members', async () => {
      const [id, editor] = [await make(), await service.addUser('editor')];
      await put(id, editor.userId, Role.ROLE_EDITOR);
      const ofKey = await keyOf(editor);
      await destroy(id);
      expect(await ofKey()).toEqual([]);
      await expect(destroy(id)).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
      expect(await audited('project.delete', id)).toBe(1);
    });

    it('is refused while the project owns something, and leaves it unchanged', async () => {
      const [id, editor] = [await make(), await service.addUser('editor')];
      await put(id, editor.userId, Role.ROLE_EDITOR);
      service.workflows.owned.set(id, 2);
      await expect(destroy(id)).rejects.toMatchObject({ reason: 'PROJECT_OWNS_DATA', details: { workflows: '2' } });
      expect(await (await keyOf(editor))()).toEqual([id]);
    });

    it('gives everything to another project, and completes after an interruption', async () => {
      const [id, heir, editor] = [await make(), await make(), await service.addUser('editor')];
      await put(id, editor.userId, Role.ROLE_EDITOR);
      service.workflows.owned.set(id, 3);
      const { id: credentialId } = await service.addCredential({});
      await projects().transferCredential({ credentialId, projectId: id }, owner());
      for (const nobody of [id, 'nobody', uuidv7()])
        await expect(destroy(id, nobody)).rejects.toMatchObject({ fields: [{ field: 'transferTo' }] });
      service.workflows.setAway(true);
      await expect(destroy(id, heir)).rejects.toMatchObject({ kind: 'unavailable' });
      service.workflows.setAway(false);
      // It no longer has members, and gets neither members nor objects.
      expect(await (await keyOf(editor))()).toEqual([]);
      await expect(put(id, editor.userId, Role.ROLE_EDITOR)).rejects.toMatchObject({ reason: 'PROJECT_NOT_FOUND' });
      await expect(projects().transferWorkflow({ workflowId: 'w', projectId: id }, owner())).rejects.toMatchObject({
        reason: 'PROJECT_NOT_FOUND',
      });
      await destroy(id, heir);
      expect(service.workflows.owned.get(heir)).toBe(3);
      const { credential } = await service.as('gateway').credentials.getCredential({ credentialId }, owner());
      expect(credential?.ownerId).toBe(heir);
    });
  });
});
