import { AuditOutcome, type ListAuditRequest } from '@weft/proto/audit';
import { withContext } from '@weft/service-kit/context';
import { PASSWORD, startService, type TestService } from '../support/service-under-test';

describe('ListAudit', () => {
  let service: TestService;
  const list = (request: Partial<ListAuditRequest>, principal: TestService['owner'] | undefined = service.owner) =>
    service
      .as('gateway')
      .audit.listAudit({ limit: 100, cursor: '', actor: '', action: '', target: '', ...request }, { principal });

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  it('shows who did what to whom, from where and by which request', async () => {
    const editor = await service.addUser('editor');
    await withContext({ requestId: 'request-7', clientAddress: '198.51.100.7' }, () =>
      service.as('gateway').users.lockUser({ userId: editor.userId }, { principal: service.owner }),
    );
    const { entries } = await list({ action: 'user.lock', target: editor.userId });
    expect(entries).toMatchObject([
      {
        action: 'user.lock',
        actor: service.owner.userId,
        about: { userId: editor.userId },
        outcome: AuditOutcome.AUDIT_OUTCOME_DONE,
        clientAddress: '198.51.100.7',
        requestId: 'request-7',
        service: 'credentials',
      },
    ]);
  });

  it('has refused sign-ins, with the address and without the password', async () => {
    const { sessions } = service.as('gateway');
    await sessions.signIn({ email: 'x@example.test', password: PASSWORD, clientAddress: '' }).catch(() => undefined);
    const { entries } = await list({ action: 'sign-in.failed' });
    expect(entries[0]).toMatchObject({ actor: 'unknown', outcome: AuditOutcome.AUDIT_OUTCOME_REFUSED });
    expect(JSON.stringify(entries)).not.toContain(PASSWORD);
  });

  it('pages through all records newest first, and filters by actor and time', async () => {
    for (let made = 0; made < 5; made += 1) await service.addUser('viewer');
    const all = (await list({})).entries.map(({ id }) => id);
    const paged: string[] = [];
    let cursor = '';
    do {
      const page = await list({ limit: 2, cursor });
      paged.push(...page.entries.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(paged).toEqual(all);
    const { entries } = await list({ actor: service.owner.userId, action: 'user.create' });
    expect(entries.length).toBeGreaterThanOrEqual(5);
    const [newest, , middle] = entries;
    const before = await list({ actor: service.owner.userId, action: 'user.create', to: middle?.at });
    expect(before.entries.map(({ id }) => id)).not.toContain(newest?.id);
    const since = await list({ actor: service.owner.userId, action: 'user.create', from: middle?.at });
    expect(since.entries.map(({ id }) => id)).toContain(newest?.id);
    expect((await list({ actor: 'nobody' })).entries).toEqual([]);
  });

  it('refuses a cursor of other filters, editors and viewers', async () => {
    const { nextCursor } = await list({ limit: 1 });
    await expect(list({ cursor: nextCursor, actor: 'u' })).rejects.toMatchObject({ fields: [{ field: 'cursor' }] });
    for (const role of ['editor', 'viewer'] as const)
      await expect(list({}, await service.addUser(role))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(list({}, await service.addUser('admin'))).resolves.toBeDefined();
  });
});
