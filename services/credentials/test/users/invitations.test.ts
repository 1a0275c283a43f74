import { Role as RoleMessage } from '@weft/proto/identity';
import { OWNER, PASSWORD, startService, type Replica, type TestService } from '../support/service-under-test';

const DAY_MS = 86_400_000;
const NOT_FOUND = { reason: 'INVITATION_NOT_FOUND', kind: 'not-found' };
const UNKNOWN = 'x'.repeat(43);

describe('invitations', () => {
  let service: TestService;
  let replica: Replica;
  let addresses = 0;
  const calls = () => service.as('gateway').invitations;
  /** A unique client address for each caller, so that tests do not limit each other. */
  const newAddress = (): string => {
    addresses += 1;
    return `198.51.100.${addresses}`;
  };
  const invite = (email: string, role = RoleMessage.ROLE_EDITOR, principal: TestService['owner'] = service.owner) =>
    calls().createInvitation({ email, role }, { principal });
  const accept = (token: string, at: Replica = service, clientAddress = newAddress()) =>
    at.as('gateway').invitations.acceptInvitation({ token, name: ' Ada ', password: PASSWORD, clientAddress });
  const get = (token: string, clientAddress = newAddress()) => calls().getInvitation({ token, clientAddress });
  const errorOf = async (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

  beforeAll(async () => {
    service = await startService();
    replica = await service.startReplica();
  });
  afterAll(() => service.stop());

  it('create a user with the role, the name and the password, once, and sign in', async () => {
    const { invitation, token } = await invite(' Ada@Example.test ');
    expect(invitation).toMatchObject({ email: 'ada@example.test', role: RoleMessage.ROLE_EDITOR, userId: '' });
    expect((await get(token)).invitation).toEqual(invitation);
    const { user, sessionToken } = await accept(token);
    expect(user).toMatchObject({ email: 'ada@example.test', role: RoleMessage.ROLE_EDITOR, name: 'Ada' });
    expect((await replica.as('gateway').sessions.verifySession({ sessionToken })).user).toEqual(user);
    await service.as('gateway').sessions.signIn({ email: 'ada@example.test', password: PASSWORD, clientAddress: '' });
    await expect(accept(token)).rejects.toMatchObject(NOT_FOUND);
  });

  it('are stored without their tokens', async () => {
    const { token } = await invite('stored@example.test');
    const { connection } = service.database;
    for (const collection of ['invitations', 'audit'])
      expect(JSON.stringify(await connection.collection(collection).find({}).toArray())).not.toContain(token);
    expect(service.logs.join()).not.toContain(token);
  });

  it('are accepted by one of many concurrent callers at two replicas', async () => {
    const { token } = await invite('race@example.test');
    const tries = await Promise.allSettled([service, replica, service, replica].map((at) => accept(token, at)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('end after seven days, when they are withdrawn and when the email is invited again', async () => {
    const [first, second] = [await invite('again@example.test'), await invite('again@example.test')];
    await expect(get(first.token)).rejects.toMatchObject(NOT_FOUND);
    const listed = await calls().listInvitations({}, { principal: service.owner });
    expect(listed.invitations[0]).toEqual(second.invitation);
    const invitationId = second.invitation?.id ?? '';
    await calls().deleteInvitation({ invitationId }, { principal: service.owner });
    await expect(accept(second.token)).rejects.toMatchObject(NOT_FOUND);
    await expect(calls().deleteInvitation({ invitationId }, { principal: service.owner })).rejects.toMatchObject({
      ...NOT_FOUND,
      details: { invitationId },
    });
    const late = await invite('late@example.test');
    service.passTime(7 * DAY_MS + 1);
    await expect(accept(late.token)).rejects.toMatchObject(NOT_FOUND);
    service.passTime(-7 * DAY_MS - 1);
  });

  it('end when the inviter is locked or may no longer give the role', async () => {
    const admin = await service.addUser('admin');
    const { token } = await invite('of-admin@example.test', RoleMessage.ROLE_EDITOR, admin);
    const { users } = service.as('gateway');
    await users.lockUser({ userId: admin.userId }, { principal: service.owner });
    await expect(get(token)).rejects.toMatchObject(NOT_FOUND);
    await users.unlockUser({ userId: admin.userId }, { principal: service.owner });
    await get(token);
    await users.changeUserRole({ userId: admin.userId, role: RoleMessage.ROLE_VIEWER }, { principal: service.owner });
    await expect(accept(token)).rejects.toMatchObject(NOT_FOUND);
  });

  it('are limited to users who manage users, for the roles that they may assign', async () => {
    const [admin, editor] = [await service.addUser('admin'), await service.addUser('editor')];
    await expect(invite('x@example.test', RoleMessage.ROLE_ADMIN, admin)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(invite('x@example.test', RoleMessage.ROLE_VIEWER, editor)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(invite(OWNER.email)).rejects.toMatchObject({ reason: 'USER_EXISTS' });
    await expect(invite('no email', RoleMessage.ROLE_UNSPECIFIED)).rejects.toMatchObject({
      fields: [{ field: 'email' }, { field: 'role' }],
    });
  });

  it('are not consumed by a password that is too short', async () => {
    const { token } = await invite('short@example.test');
    const sent = { token, name: 'x'.repeat(101), password: 'short', clientAddress: newAddress() };
    await expect(calls().acceptInvitation(sent)).rejects.toMatchObject({
      fields: [{ field: 'name' }, { field: 'password' }],
    });
    await accept(token);
  });

  it('answer a stranger the same whatever is wrong with a token, and limit guesses only by address', async () => {
    const { token, invitation } = await invite('used@example.test');
    await accept(token);
    const answers = [await errorOf(get(token)), await errorOf(get(UNKNOWN)), await errorOf(get('no token'))];
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    expect(JSON.stringify(answers[0])).not.toContain(invitation?.id);
    const [stranger, person] = [newAddress(), newAddress()];
    const other = await invite('guessed@example.test');
    for (let guess = 0; guess < 10; guess += 1) await errorOf(get(UNKNOWN, stranger));
    await expect(get(UNKNOWN, stranger)).rejects.toMatchObject({ reason: 'TOO_MANY_SIGN_INS' });
    await expect(get(other.token, stranger)).rejects.toMatchObject({ reason: 'TOO_MANY_SIGN_INS' });
    await expect(accept(other.token, service, person)).resolves.toMatchObject({
      user: { email: 'guessed@example.test' },
    });
  });

  describe('ResetPassword', () => {
    it('lets a user set a password by a link, after which the old password and sessions are refused', async () => {
      const editor = await service.addUser('editor');
      const signIn = (password: string) =>
        service.as('gateway').sessions.signIn({ email: editor.email, password, clientAddress: newAddress() });
      const { sessionToken } = await signIn(PASSWORD);
      const { token } = await calls().resetPassword({ userId: editor.userId }, { principal: service.owner });
      await signIn(PASSWORD);
      const password = 'an entirely new password';
      await calls().acceptInvitation({ token, name: '', password, clientAddress: newAddress() });
      await expect(signIn(PASSWORD)).rejects.toMatchObject({ reason: 'UNAUTHORIZED' });
      await expect(replica.as('gateway').sessions.verifySession({ sessionToken })).rejects.toMatchObject({
        reason: 'UNAUTHORIZED',
      });
      expect((await signIn(password)).user).toMatchObject({ id: editor.userId });
    });

    it('is refused for owners to an admin, and ends when the user is locked', async () => {
      const [admin, viewer] = [await service.addUser('admin'), await service.addUser('viewer')];
      await expect(calls().resetPassword({ userId: service.owner.userId }, { principal: admin })).rejects.toMatchObject(
        { reason: 'FORBIDDEN' },
      );
      const { token } = await calls().resetPassword({ userId: viewer.userId }, { principal: admin });
      await service.as('gateway').users.lockUser({ userId: viewer.userId }, { principal: admin });
      await expect(accept(token)).rejects.toMatchObject(NOT_FOUND);
    });
  });
});
