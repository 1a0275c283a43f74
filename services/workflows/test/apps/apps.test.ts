import { startService, type TestService } from '../support/start-service';
import { bytesOf, ERP_TYPE, erpApp, erpKind } from '../support/app-documents';

describe('apps', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.stop());
  const admin = () => service.as('u1', 'admin');
  const put = (document = erpApp(), name = 'erp') =>
    service.apps.putApp({ name, document: bytesOf(document) }, admin());

  it('are stored, listed without their documents, and read with them', async () => {
    const { app, created } = await put();
    expect([app, created]).toMatchObject([{ name: 'erp', label: 'ERP', kinds: [ERP_TYPE], updatedBy: 'u1' }, true]);
    await put(erpApp({ name: 'a-crm', kinds: { crm: erpKind() } }), 'a-crm');
    const { apps } = await service.apps.listApps({}, service.as('u2', 'viewer'));
    expect(apps.map(({ name }) => name)).toEqual(['a-crm', 'erp']);
    const got = await service.apps.getApp({ name: 'erp' }, service.as('u2', 'viewer'));
    expect([got.app, JSON.parse(got.document.toString())]).toEqual([app, erpApp()]);
  });

  it('are changed by owners and admins alone', async () => {
    await put();
    for (const role of ['editor', 'viewer'] as const) {
      const user = service.as('u2', role);
      await expect(service.apps.putApp({ name: 'erp', document: bytesOf(erpApp()) }, user)).rejects.toMatchObject({
        reason: 'FORBIDDEN',
      });
      await expect(service.apps.deleteApp({ name: 'erp', force: true }, user)).rejects.toMatchObject({
        reason: 'FORBIDDEN',
      });
    }
    await expect(service.apps.findAppOfKind({ kind: ERP_TYPE })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });

  it('report all problems of a document at once, with their paths', async () => {
    const document = erpApp({ hosts: ['localhost'], more: 1, calls: { api: { url: 'http://erp.example.com' } } });
    await expect(put(document)).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'more' }, { field: 'hosts[0]' }],
    });
    const content = erpApp({ calls: { api: { url: 'http://evil.example.com' }, other: { url: '={{ $env.X }}' } } });
    await expect(put(content)).rejects.toMatchObject({
      fields: [
        { field: 'calls.other', message: 'Nothing uses it.' },
        { field: 'calls.api.url' },
        { field: 'calls.other.url' },
      ],
    });
    await expect(put(erpApp(), 'other')).rejects.toMatchObject({ fields: [{ field: 'name' }] });
    expect((await service.apps.listApps({}, admin())).apps).toEqual([]);
  });

  it('cannot have triggers, which nothing would start', async () => {
    const { operations: _, ...kind } = erpKind();
    const poll = { call: 'api', list: 'orders', key: '={{ $entry.id }}', newest: '={{ $entry.at }}' };
    await expect(put(erpApp({ kinds: { [ERP_TYPE]: { ...kind, poll } } }))).rejects.toMatchObject({
      fields: [{ field: `kinds["${ERP_TYPE}"].poll`, message: expect.stringContaining('cannot have triggers') }],
    });
  });

  it('cannot claim a kind of Weft, or one of another app', async () => {
    await expect(put(erpApp({ kinds: { slack: erpKind() } }))).rejects.toMatchObject({
      fields: [{ field: 'kinds.slack' }],
    });
    await put();
    await expect(put(erpApp({ name: 'other' }), 'other')).rejects.toMatchObject({
      reason: 'APP_KIND_TAKEN',
      message: expect.stringContaining('The app erp already has the kind @acme/n8n-nodes-erp.erp'),
      details: { app: 'erp', kind: ERP_TYPE },
    });
    const racing = await Promise.allSettled(
      ['one', 'two', 'three'].map((name) => put(erpApp({ name, kinds: { raced: erpKind() } }), name)),
    );
    expect(racing.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('change only under the condition of the caller, and not at all by an equal document', async () => {
    const { app: first } = await put();
    const again = await put();
    expect(again).toEqual({ app: first, created: false });
    const { app: second } = await put(erpApp({ label: 'ERP 2' }));
    expect(second).toMatchObject({ label: 'ERP 2', createdAt: first?.createdAt });
    expect(second?.digest).not.toBe(first?.digest);
    const absent = { etags: [''] };
    await expect(
      service.apps.putApp({ name: 'erp', document: bytesOf(erpApp({ label: 'ERP 3' })), condition: absent }, admin()),
    ).rejects.toMatchObject({ reason: 'VERSION_CONFLICT' });
    const other = bytesOf(erpApp({ name: 'other', kinds: { other: erpKind() } }));
    const adding = await Promise.allSettled(
      Array.from({ length: 4 }, () =>
        service.apps.putApp({ name: 'other', document: other, condition: absent }, admin()),
      ),
    );
    expect(adding.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const stale = { etags: [first?.digest ?? ''] };
    const document = bytesOf(erpApp({ label: 'ERP 3' }));
    await expect(service.apps.putApp({ name: 'erp', document, condition: stale }, admin())).rejects.toMatchObject({
      reason: 'VERSION_CONFLICT',
    });
    await expect(
      service.apps.deleteApp({ name: 'erp', force: false, condition: stale }, admin()),
    ).rejects.toMatchObject({ reason: 'VERSION_CONFLICT' });
    const revisions = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => put(erpApp({ label: `ERP of writer ${n}` }))),
    );
    expect(revisions.map(({ status }) => status)).toEqual(Array(8).fill('fulfilled'));
  });

  it('are deleted once', async () => {
    await put();
    await service.apps.deleteApp({ name: 'erp', force: false }, admin());
    await expect(service.apps.deleteApp({ name: 'erp', force: false }, admin())).rejects.toMatchObject({
      reason: 'APP_NOT_FOUND',
    });
    await expect(service.apps.getApp({ name: 'erp' }, admin())).rejects.toMatchObject({ reason: 'APP_NOT_FOUND' });
  });

  it('are bounded in size', async () => {
    const label = 'x'.repeat(600_000);
    await expect(put(erpApp({ label }))).rejects.toMatchObject({ reason: 'PAYLOAD_TOO_LARGE' });
    const help = 'y'.repeat(400_000);
    const kind = { ...erpKind(), parameters: [{ name: 'a', label: 'A', type: 'string', help }] };
    const fill = async (n: number) => put(erpApp({ name: `app-${n}`, kinds: { [`kind${n}`]: kind } }), `app-${n}`);
    for (let n = 0; n < 19; n += 1) await fill(n);
    await expect(fill(19)).rejects.toMatchObject({ reason: 'TOO_MANY_APPS' });
  });

  it('appear among the node types, whose tag changes', async () => {
    const before = await service.gateway.listNodeTypes({ knownTag: '' }, admin());
    await put();
    const after = await service.gateway.listNodeTypes({ knownTag: before.tag }, admin());
    const added = after.nodeTypes.filter(({ kind }) => !before.nodeTypes.some((one) => one.kind === kind));
    expect(added.map(({ kind, descriptor }) => [kind, JSON.parse(descriptor.toString()).label])).toEqual([
      [ERP_TYPE, 'Orders'],
    ]);
    expect((await service.gateway.listNodeTypes({ knownTag: after.tag }, admin())).nodeTypes).toEqual([]);
    const one = await service.gateway.getNodeType({ kind: ERP_TYPE }, admin());
    expect(one).toMatchObject({ tag: after.tag, nodeType: { kind: ERP_TYPE } });
    await put(erpApp({ kinds: { [ERP_TYPE]: erpKind([1, 2]) } }));
    expect((await service.gateway.listNodeTypes({ knownTag: after.tag }, admin())).tag).not.toBe(after.tag);
    await service.apps.deleteApp({ name: 'erp', force: false }, admin());
    await expect(service.gateway.getNodeType({ kind: ERP_TYPE }, admin())).rejects.toMatchObject({
      reason: 'NODE_TYPE_NOT_FOUND',
    });
  });

  it('are found by runners by their kinds', async () => {
    await put(erpApp({ kinds: { [ERP_TYPE]: erpKind(), erpOrders: erpKind() } }));
    for (const kind of [ERP_TYPE, 'erpOrders', 'n8n-nodes-base.erpOrders']) {
      const { document } = await service.appsForRuns.findAppOfKind({ kind });
      expect(JSON.parse(document.toString())).toMatchObject({ name: 'erp' });
    }
    await expect(service.appsForRuns.findAppOfKind({ kind: 'slack' })).rejects.toMatchObject({
      reason: 'NODE_TYPE_NOT_FOUND',
    });
  });

  it('leave a record of each change', async () => {
    await put();
    await service.apps.deleteApp({ name: 'erp', force: false }, admin());
    const { entries } = await service.audit.listAudit(
      { limit: 10, cursor: '', actor: '', action: '', target: 'erp' },
      service.as('o', 'owner'),
    );
    expect(entries.map(({ action, about }) => [action, about['appId']])).toEqual([
      ['app.delete', 'erp'],
      ['app.put', 'erp'],
    ]);
  });
});
