import { Role as RoleMessage } from '@weft/proto/identity';
import { OWNER, startService, type TestService } from '../support/service-under-test';

const ISSUER = 'https://id.example.test';

describe('signing in with an identity', () => {
  let service: TestService;
  let people = 0;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  /** A person identified by the provider: unknown so far, without groups; unknown users are created as viewers. */
  const person = () => {
    people += 1;
    return {
      issuer: ISSUER,
      subject: `subject ${people}`,
      email: `person${people}@example.test`,
      emailVerified: true,
      name: `Person ${people}`,
      rolesByGroup: false,
      groupRole: RoleMessage.ROLE_UNSPECIFIED,
      newUserRole: RoleMessage.ROLE_VIEWER,
      clientAddress: '198.51.100.7',
    };
  };
  type Person = ReturnType<typeof person>;
  const sessions = () => service.as('gateway').sessions;
  const users = () => service.as('gateway').users;
  const signIn = (who: Person) => sessions().signInWithIdentity(who);
  const refusal = (because: string) => ({ reason: 'SIGN_IN_REFUSED', kind: 'forbidden', details: { because } });
  const auditOf = async (target: string, action: string) =>
    (
      await service
        .as('gateway')
        .audit.listAudit({ limit: 100, cursor: '', actor: '', target, action }, { principal: service.owner })
    ).entries;

  it('creates a user for an unknown person, with an ordinary session and the same user the next time', async () => {
    const who = person();
    const { user, sessionToken } = await signIn(who);
    expect(user).toMatchObject({ email: who.email, name: who.name, role: RoleMessage.ROLE_VIEWER });
    expect((await sessions().verifySession({ sessionToken })).user).toEqual(user);
    expect((await signIn(who)).user).toEqual(user);
    expect(await auditOf(user?.id ?? '', 'user.link-identity')).toHaveLength(1);
  });

  it('gives a created user no usable password', async () => {
    const { email } = person();
    await signIn({ ...person(), email });
    for (const password of ['', ' ', 'scrypt'])
      await expect(sessions().signIn({ email, password, clientAddress: '198.51.100.8' })).rejects.toMatchObject({
        reason: 'UNAUTHORIZED',
      });
  });

  it('identifies the person by issuer and subject from then on, whatever the email', async () => {
    const who = person();
    const { user } = await signIn(who);
    const moved = await signIn({ ...who, email: OWNER.email, emailVerified: true });
    expect(moved.user).toEqual(user);
    expect((await signIn({ ...who, email: '', emailVerified: false })).user).toEqual(user);
    const elsewhere = { ...who, issuer: 'https://other.example.test', email: person().email };
    expect((await signIn(elsewhere)).user?.id).not.toBe(user?.id);
  });

  it('links an existing user only by a verified email', async () => {
    const editor = await service.addUser('editor');
    const who = { ...person(), email: editor.email.toUpperCase() };
    await expect(signIn({ ...who, emailVerified: false })).rejects.toMatchObject(refusal('email-not-verified'));
    expect((await signIn(who)).user).toMatchObject({ id: editor.userId, role: RoleMessage.ROLE_EDITOR });
  });

  it('does not link a user to a second account of the provider, even if that now has the email', async () => {
    const editor = await service.addUser('editor');
    await signIn({ ...person(), email: editor.email });
    await expect(signIn({ ...person(), email: editor.email })).rejects.toMatchObject(refusal('other-identity'));
  });

  it('creates one user for two concurrent first sign-ins', async () => {
    const who = person();
    const tries = await Promise.allSettled([signIn(who), signIn(who), signIn(who)]);
    const ids = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.user?.id] : []));
    expect(new Set(ids).size).toBe(1);
    expect((await signIn(who)).user?.id).toBe(ids[0]);
  });

  it('refuses unknown people if no users are created, and a locked user always', async () => {
    const stranger = { ...person(), newUserRole: RoleMessage.ROLE_UNSPECIFIED };
    await expect(signIn(stranger)).rejects.toMatchObject(refusal('unknown-user'));
    const [linked, unlinked] = [await service.addUser('viewer'), await service.addUser('viewer')];
    const who = { ...person(), email: linked.email };
    await signIn(who);
    for (const { userId } of [linked, unlinked]) await users().lockUser({ userId }, { principal: service.owner });
    await expect(signIn(who)).rejects.toMatchObject(refusal('locked'));
    await expect(signIn({ ...person(), email: unlinked.email })).rejects.toMatchObject(refusal('locked'));
    expect((await auditOf('', 'sign-in.failed')).map(({ about }) => about['because'])).toContain('locked');
  });

  it('updates the role from the groups at every sign-in, and refuses users whose groups give none', async () => {
    const who = { ...person(), rolesByGroup: true, groupRole: RoleMessage.ROLE_ADMIN };
    const { user, sessionToken } = await signIn(who);
    expect(user?.role).toBe(RoleMessage.ROLE_ADMIN);
    const demoted = await signIn({ ...who, groupRole: RoleMessage.ROLE_EDITOR });
    expect(demoted.user).toEqual({ ...user, role: RoleMessage.ROLE_EDITOR });
    expect((await sessions().verifySession({ sessionToken })).user?.role).toBe(RoleMessage.ROLE_EDITOR);
    const without = { ...who, groupRole: RoleMessage.ROLE_UNSPECIFIED };
    expect((await signIn(without)).user?.role).toBe(RoleMessage.ROLE_VIEWER);
    await expect(signIn({ ...without, newUserRole: RoleMessage.ROLE_UNSPECIFIED })).rejects.toMatchObject(
      refusal('no-role'),
    );
    expect(await auditOf(user?.id ?? '', 'user.change-role')).toHaveLength(2);
  });

  it('keeps roles if groups do not determine them', async () => {
    const admin = await service.addUser('admin');
    expect((await signIn({ ...person(), email: admin.email })).user?.role).toBe(RoleMessage.ROLE_ADMIN);
  });

  it('keeps the last owner an owner when the groups would demote them', async () => {
    const who = { ...person(), email: OWNER.email, rolesByGroup: true, groupRole: RoleMessage.ROLE_EDITOR };
    expect((await signIn(who)).user).toMatchObject({ id: service.owner.userId, role: RoleMessage.ROLE_OWNER });
  });

  it('is forgotten with its user: the person is unknown again', async () => {
    const who = person();
    const { user } = await signIn(who);
    await users().deleteUser({ userId: user?.id ?? '', transferTo: '' }, { principal: service.owner });
    await expect(signIn({ ...who, newUserRole: RoleMessage.ROLE_UNSPECIFIED })).rejects.toMatchObject(
      refusal('unknown-user'),
    );
    expect((await signIn(who)).user?.id).not.toBe(user?.id);
  });

  it('requires a valid issuer and subject', async () => {
    await expect(signIn({ ...person(), subject: '', issuer: '' })).rejects.toMatchObject({
      fields: [{ field: 'issuer' }, { field: 'subject' }],
    });
    await expect(signIn({ ...person(), subject: 'x'.repeat(256) })).rejects.toMatchObject({
      fields: [{ field: 'subject' }],
    });
  });
});
