import { startService, type TestService } from '../support/service-under-test';

describe('ListUsers', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService();
    for (let number = 0; number < 4; number += 1) await service.addUser('viewer');
  });
  afterAll(() => service.stop());

  it('pages newest first, without password hashes', async () => {
    const { users } = service.as('gateway');
    const first = await users.listUsers({ limit: 3, cursor: '' }, { principal: service.owner });
    const second = await users.listUsers({ limit: 3, cursor: first.nextCursor }, { principal: service.owner });
    expect([...first.users, ...second.users].map(({ email }) => email)).toEqual([
      'viewer4@example.test',
      'viewer3@example.test',
      'viewer2@example.test',
      'viewer1@example.test',
      'owner@example.test',
    ]);
    expect(second.nextCursor).toBe('');
    expect(JSON.stringify([first, second])).not.toContain('scrypt');
  });

  it('refuses an invalid limit or cursor', async () => {
    const { users } = service.as('gateway');
    await expect(users.listUsers({ limit: 101, cursor: '' }, { principal: service.owner })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'limit' }],
    });
    await expect(users.listUsers({ limit: 1, cursor: 'x' }, { principal: service.owner })).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'cursor' }],
    });
  });

  it('refuses editors and viewers', async () => {
    for (const role of ['editor', 'viewer'] as const) {
      await expect(
        service.as('gateway').users.listUsers({ limit: 0, cursor: '' }, { principal: { ...service.owner, role } }),
      ).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    }
  });
});
