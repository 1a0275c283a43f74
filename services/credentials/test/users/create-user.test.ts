import { Role } from '@weft/proto/identity';
import { OWNER, PASSWORD, startService, type TestService } from '../support/service-under-test';

describe('CreateUser', () => {
  let service: TestService;
  const create = (
    request: { email?: string; password?: string; role?: Role },
    principal: { userId: string; role: 'owner' | 'admin' | 'editor' | 'viewer' } = service.owner,
  ) =>
    service
      .as('gateway')
      .users.createUser(
        { email: 'new@example.test', password: PASSWORD, role: Role.ROLE_EDITOR, ...request },
        { principal },
      );

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('creates a user who can sign in, and does not return the password', async () => {
    const { user } = await create({ email: ' Someone@Example.TEST ' });
    expect(user).toEqual({
      id: expect.any(String),
      email: 'someone@example.test',
      role: Role.ROLE_EDITOR,
      createdAt: expect.any(Date),
      name: '',
    });
    await expect(
      service.as('gateway').sessions.signIn({ email: 'someone@example.test', password: PASSWORD, clientAddress: '' }),
    ).resolves.toMatchObject({ user });
    const stored = await service.database.connection.collection('users').find({}).toArray();
    expect(JSON.stringify(stored)).not.toContain(PASSWORD);
    expect(
      await service.database.connection
        .collection('audit')
        .findOne({ action: 'user.create', 'about.userId': user?.id }),
    ).toMatchObject({ actor: service.owner.userId, about: { role: 'editor' } });
  });

  it('refuses an email that is taken, whatever its case', async () => {
    await create({ email: 'taken@example.test' });
    await expect(create({ email: 'Taken@example.test' })).rejects.toMatchObject({
      reason: 'USER_EXISTS',
      kind: 'conflict',
    });
    await expect(create({ email: OWNER.email })).rejects.toMatchObject({ reason: 'USER_EXISTS' });
    const racing = await Promise.allSettled(Array.from({ length: 5 }, () => create({ email: 'race@example.test' })));
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('lets only owners create admins and further owners', async () => {
    const admin = await service.addUser('admin');
    await expect(create({ email: 'a2@example.test', role: Role.ROLE_ADMIN }, admin)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(create({ email: 'e2@example.test', role: Role.ROLE_EDITOR }, admin)).resolves.toBeDefined();
    await expect(create({ email: 'o2@example.test', role: Role.ROLE_OWNER }, admin)).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(create({ email: 'o2@example.test', role: Role.ROLE_OWNER })).resolves.toBeDefined();
  });

  it.each(['editor', 'viewer'] as const)('refuses the role %s', async (role) => {
    await expect(create({ email: 'x@example.test' }, { ...service.owner, role })).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
  });

  it('reports every invalid field, without the password', async () => {
    const error: unknown = await create({
      email: 'no email',
      password: 'planted pw',
      role: Role.ROLE_UNSPECIFIED,
    }).catch((error: unknown) => error);
    expect(error).toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'email' }, { field: 'password' }, { field: 'role' }],
    });
    expect(JSON.stringify(error)).not.toContain('planted pw');
    await expect(create({ password: 'x'.repeat(201) })).rejects.toMatchObject({ fields: [{ field: 'password' }] });
    await expect(create({ email: `${'x'.repeat(250)}@example.test` })).rejects.toMatchObject({
      fields: [{ field: 'email' }],
    });
  });
});
