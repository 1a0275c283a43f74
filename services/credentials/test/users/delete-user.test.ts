import { makeKeyValue } from '../../src/domain/api-keys/key-format';
import { PASSWORD, startService, type TestService } from '../support/service-under-test';

describe('DeleteUser', () => {
  let service: TestService;
  const deleteUser = (userId: string, transferTo = '') =>
    service.as('gateway').users.deleteUser({ userId, transferTo }, { principal: service.owner });
  const stored = (collection: string, filter: Readonly<Record<string, unknown>>) =>
    service.database.connection.collection(collection).countDocuments(filter);

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('removes the user with its keys and sessions, and its email is free again', async () => {
    const editor = await service.addUser('editor');
    const gateway = service.as('gateway');
    await gateway.apiKeys.createApiKey({ name: 'k', scopes: [] }, { principal: editor });
    await gateway.sessions.signIn({ email: editor.email, password: PASSWORD, clientAddress: '' });
    await gateway.invitations.resetPassword({ userId: editor.userId }, { principal: service.owner });
    await deleteUser(editor.userId);
    expect(await stored('users', { email: editor.email })).toBe(0);
    expect(await stored('invitations', { email: editor.email })).toBe(0);
    expect(await stored('apiKeys', { userId: editor.userId })).toBe(0);
    expect(await stored('sessions', { userId: editor.userId })).toBe(0);
    expect(await stored('audit', { action: 'user.delete', 'about.userId': editor.userId })).toBe(1);
    await expect(deleteUser(editor.userId)).rejects.toMatchObject({ reason: 'USER_NOT_FOUND' });
  });

  it('is refused while the user owns workflows or credentials, and leaves the user unchanged', async () => {
    const [admin, editor] = [await service.addUser('admin'), await service.addUser('editor')];
    await service.addCredential({}, admin);
    service.workflows.owned.set(editor.userId, 2);
    await expect(deleteUser(admin.userId)).rejects.toMatchObject({
      reason: 'USER_OWNS_DATA',
      kind: 'precondition',
      details: { userId: admin.userId, credentials: '1' },
    });
    await expect(deleteUser(editor.userId)).rejects.toMatchObject({ details: { workflows: '2' } });
    expect(await stored('users', { lockedAt: { $exists: true } })).toBe(0);
  });

  it('gives everything to another user', async () => {
    const [admin, heir] = [await service.addUser('admin'), await service.addUser('editor')];
    const { id } = await service.addCredential({}, admin);
    service.workflows.owned.set(admin.userId, 3);
    await deleteUser(admin.userId, heir.userId);
    expect(service.workflows.owned.get(heir.userId)).toBe(3);
    expect(
      (await service.as('gateway').credentials.getCredential({ credentialId: id }, { principal: service.owner }))
        .credential?.ownerId,
    ).toBe(heir.userId);
    expect(await stored('users', { _id: admin.userId })).toBe(0);
  });

  it('does not transfer anything to the user itself, to a viewer, to a locked user or to a missing user', async () => {
    const [editor, viewer, locked] = [
      await service.addUser('editor'),
      await service.addUser('viewer'),
      await service.addUser('editor'),
    ];
    await service.as('gateway').users.lockUser({ userId: locked.userId }, { principal: service.owner });
    for (const heir of [editor.userId, viewer.userId, locked.userId, 'nobody', makeKeyValue()])
      await expect(deleteUser(editor.userId, heir)).rejects.toMatchObject({ fields: [{ field: 'transferTo' }] });
  });

  it('can be repeated after an interruption: the user is locked meanwhile', async () => {
    const [editor, heir] = [await service.addUser('editor'), await service.addUser('editor')];
    service.workflows.owned.set(editor.userId, 1);
    service.workflows.setAway(true);
    await expect(deleteUser(editor.userId, heir.userId)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await stored('users', { _id: editor.userId, lockedAt: { $exists: true } })).toBe(1);
    service.workflows.setAway(false);
    await deleteUser(editor.userId, heir.userId);
    expect(service.workflows.owned.get(heir.userId)).toBe(1);
    expect(await stored('users', { _id: editor.userId })).toBe(0);
  });
});
