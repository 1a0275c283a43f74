import { Role as RoleMessage } from '@weft/proto/identity';
import type { Principal } from '@weft/service-kit/auth';
import { OWNER, PASSWORD, startService, type Replica, type TestService } from '../support/service-under-test';

const UNAUTHORIZED = { reason: 'UNAUTHORIZED' };
const FORBIDDEN = { reason: 'FORBIDDEN' };

describe('managing users', () => {
  let service: TestService;
  let replica: Replica;
  const users = () => service.as('gateway').users;
  const signIn = (email: string, at: Replica = service) =>
    at.as('gateway').sessions.signIn({ email, password: PASSWORD, clientAddress: '' });
  const keyOf = async (principal: Principal): Promise<string> =>
    (await service.as('gateway').apiKeys.createApiKey({ name: 'k', scopes: [] }, { principal })).value;
  const verifyKey = (value: string, at: Replica) =>
    at.as('gateway').apiKeys.verifyApiKey({ proof: { $case: 'apiKey', value }, count: 1 });
  const verifyBasic = (username: string, at: Replica) =>
    at.as('gateway').apiKeys.verifyApiKey({
      proof: { $case: 'basic', value: { username, password: PASSWORD, clientAddress: '' } },
      count: 1,
    });
  const audited = (action: string, userId: string) =>
    service.database.connection.collection('audit').findOne({ action, 'about.userId': userId });

  beforeAll(async () => {
    service = await startService({ BASIC_AUTH: 'on' });
    replica = await service.startReplica();
  });
  afterAll(() => service.stop());

  describe('LockUser', () => {
    it('stops keys, sessions and Basic immediately at every replica; UnlockUser lets keys and Basic in', async () => {
      const editor = await service.addUser('editor');
      const key = await keyOf(editor);
      const { sessionToken } = await signIn(editor.email);
      const proofs = (at: Replica) => [
        verifyKey(key, at),
        verifyBasic(editor.email, at),
        at.as('gateway').sessions.verifySession({ sessionToken }),
      ];
      // Both replicas now have the password in their cache.
      for (const at of [service, replica]) await Promise.all(proofs(at));
      const { user } = await users().lockUser({ userId: editor.userId }, { principal: service.owner });
      expect(user?.lockedAt).toBeInstanceOf(Date);
      for (const at of [service, replica])
        await Promise.all(proofs(at).map((proof) => expect(proof).rejects.toMatchObject(UNAUTHORIZED)));
      await expect(signIn(editor.email, replica)).rejects.toMatchObject(UNAUTHORIZED);
      await users().unlockUser({ userId: editor.userId }, { principal: service.owner });
      await verifyKey(key, replica);
      await verifyBasic(editor.email, replica);
      await expect(service.as('gateway').sessions.verifySession({ sessionToken })).rejects.toMatchObject(UNAUTHORIZED);
      expect(await audited('user.lock', editor.userId)).toMatchObject({ actor: service.owner.userId });
      expect(await audited('user.unlock', editor.userId)).not.toBeNull();
    });

    it('gives a locked user the error for a wrong password', async () => {
      const viewer = await service.addUser('viewer');
      await users().lockUser({ userId: viewer.userId }, { principal: service.owner });
      const wrong: unknown = await service
        .as('gateway')
        .sessions.signIn({ email: viewer.email, password: 'a wrong password', clientAddress: '' })
        .catch((error: unknown) => error);
      await expect(signIn(viewer.email)).rejects.toEqual(wrong);
    });
  });

  describe('ChangeUserRole', () => {
    it('sets the role of the next request, at every replica', async () => {
      const viewer = await service.addUser('viewer');
      const key = await keyOf(viewer);
      await users().changeUserRole(
        { userId: viewer.userId, role: RoleMessage.ROLE_EDITOR },
        { principal: service.owner },
      );
      expect((await verifyKey(key, replica)).role).toBe(RoleMessage.ROLE_EDITOR);
      expect(await audited('user.change-role', viewer.userId)).toMatchObject({
        about: { from: 'viewer', role: 'editor' },
      });
    });

    it('refuses an unknown role and an unknown user', async () => {
      const options = { principal: service.owner };
      await expect(
        users().changeUserRole({ userId: service.owner.userId, role: RoleMessage.ROLE_UNSPECIFIED }, options),
      ).rejects.toMatchObject({ fields: [{ field: 'role' }] });
      await expect(
        users().changeUserRole({ userId: 'nobody', role: RoleMessage.ROLE_VIEWER }, options),
      ).rejects.toMatchObject({ reason: 'USER_NOT_FOUND', details: { userId: 'nobody' } });
    });
  });

  describe('an admin', () => {
    it('cannot change or create owners and admins, and manages editors and viewers', async () => {
      const admin = await service.addUser('admin');
      const options = { principal: admin };
      for (const { userId } of [service.owner, await service.addUser('admin')]) {
        await expect(users().lockUser({ userId }, options)).rejects.toMatchObject(FORBIDDEN);
        await expect(users().unlockUser({ userId }, options)).rejects.toMatchObject(FORBIDDEN);
        await expect(users().deleteUser({ userId, transferTo: '' }, options)).rejects.toMatchObject(FORBIDDEN);
        await expect(users().signOutUser({ userId }, options)).rejects.toMatchObject(FORBIDDEN);
        await expect(users().listUserApiKeys({ userId }, options)).rejects.toMatchObject(FORBIDDEN);
        await expect(users().deleteUserApiKey({ userId, apiKeyId: 'k' }, options)).rejects.toMatchObject(FORBIDDEN);
        await expect(users().changeUserRole({ userId, role: RoleMessage.ROLE_VIEWER }, options)).rejects.toMatchObject(
          FORBIDDEN,
        );
      }
      const { userId } = await service.addUser('editor');
      for (const role of [RoleMessage.ROLE_ADMIN, RoleMessage.ROLE_OWNER])
        await expect(users().changeUserRole({ userId, role }, options)).rejects.toMatchObject(FORBIDDEN);
      const { user } = await users().changeUserRole({ userId, role: RoleMessage.ROLE_VIEWER }, options);
      expect(user?.role).toBe(RoleMessage.ROLE_VIEWER);
    });
  });

  describe('the last active owner', () => {
    const lastOwner = { reason: 'LAST_OWNER', kind: 'precondition' };
    const activeOwners = () =>
      service.database.connection.collection('users').countDocuments({ role: 'owner', lockedAt: { $exists: false } });

    it('cannot be demoted, locked or deleted, even if there is a locked owner', async () => {
      const { userId } = service.owner;
      const second = await service.addUser('owner');
      await users().lockUser({ userId: second.userId }, { principal: service.owner });
      const options = { principal: service.owner };
      await expect(users().lockUser({ userId }, options)).rejects.toMatchObject(lastOwner);
      await expect(users().deleteUser({ userId, transferTo: '' }, options)).rejects.toMatchObject(lastOwner);
      await expect(users().changeUserRole({ userId, role: RoleMessage.ROLE_ADMIN }, options)).rejects.toMatchObject(
        lastOwner,
      );
      await users().deleteUser({ userId: second.userId, transferTo: '' }, options);
      expect(await activeOwners()).toBe(1);
    });

    it('remains when all owners demote, lock or delete each other concurrently', async () => {
      for (let round = 0; round < 8; round += 1) {
        const others = await Promise.all([service.addUser('owner'), service.addUser('owner')]);
        const all = [service.owner, ...others];
        await Promise.allSettled(
          all.map(({ userId }, index) => {
            const at = (index % 2 === 0 ? service : replica).as('gateway').users;
            const options = { principal: all[(index + 1) % 3] };
            if ((round + index) % 3 === 0) return at.lockUser({ userId }, options);
            return (round + index) % 3 === 1
              ? at.deleteUser({ userId, transferTo: '' }, options)
              : at.changeUserRole({ userId, role: RoleMessage.ROLE_VIEWER }, options);
          }),
        );
        expect(await activeOwners()).toBeGreaterThanOrEqual(1);
        // The next round begins with only the first owner; whichever owner remained could do this as well.
        await service.database.connection
          .collection('users')
          .deleteMany({ role: 'owner', email: { $ne: OWNER.email } });
        await service.database.connection.collection('users').updateOne(
          { email: OWNER.email },
          {
            $set: { _id: service.owner.userId, role: 'owner', passwordHash: 'x', createdAt: new Date() },
            $unset: { lockedAt: 1, leaving: 1 },
          },
          { upsert: true },
        );
      }
    });
  });

  describe('SignOutUser', () => {
    it('ends all sessions of the caller, and of a user that the caller manages', async () => {
      const viewer = await service.addUser('viewer');
      const sessions = [await signIn(viewer.email), await signIn(viewer.email, replica)];
      const verify = () =>
        sessions.map(({ sessionToken }) => replica.as('gateway').sessions.verifySession({ sessionToken }));
      const expectEnded = () => Promise.all(verify().map((ended) => expect(ended).rejects.toMatchObject(UNAUTHORIZED)));
      await Promise.all(verify());
      await users().signOutUser({ userId: viewer.userId }, { principal: viewer });
      await expectEnded();
      sessions.push(await signIn(viewer.email));
      await users().signOutUser({ userId: viewer.userId }, { principal: service.owner });
      await expectEnded();
    });

    it("refuses to end another user's sessions for an editor", async () => {
      const [editor, viewer] = [await service.addUser('editor'), await service.addUser('viewer')];
      await expect(users().signOutUser({ userId: viewer.userId }, { principal: editor })).rejects.toMatchObject(
        FORBIDDEN,
      );
    });
  });

  describe('keys of another user', () => {
    it('are listed without values and deleted, after which they fail immediately', async () => {
      const [editor, other] = [await service.addUser('editor'), await service.addUser('editor')];
      const key = await keyOf(editor);
      const options = { principal: service.owner };
      const { apiKeys } = await users().listUserApiKeys({ userId: editor.userId }, options);
      expect(apiKeys).toMatchObject([{ name: 'k' }]);
      const apiKeyId = apiKeys[0]?.id ?? '';
      await expect(users().deleteUserApiKey({ userId: other.userId, apiKeyId }, options)).rejects.toMatchObject({
        reason: 'API_KEY_NOT_FOUND',
      });
      await users().deleteUserApiKey({ userId: editor.userId, apiKeyId }, options);
      await expect(verifyKey(key, replica)).rejects.toMatchObject(UNAUTHORIZED);
    });
  });
});
