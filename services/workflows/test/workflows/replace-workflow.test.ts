import type { Workflow } from '@weft/proto/workflows';
import { uuidv7 } from '@weft/service-kit/ids';
import { definitionOf, node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('ReplaceWorkflow', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const create = async (...parameters: Parameters<typeof workflowOf>): Promise<Workflow> => {
    const { workflow } = await service.gateway.createWorkflow(workflowOf(...parameters), editor());
    if (workflow === undefined) throw new Error('nothing was created');
    return workflow;
  };
  const get = async (workflowId: string) =>
    (await service.gateway.getWorkflow({ workflowId, knownEtags: [] }, editor())).workflow;
  const resolve = async (path: string) =>
    (await service.gateway.resolveWebhooks({ addresses: [{ method: 'POST', path }] })).webhooks[0];
  const replace = ({ id }: Workflow, definition: ReturnType<typeof workflowOf>, ifVersionId = '', user = editor()) =>
    service.gateway.replaceWorkflow({ ...definition, workflowId: id, ifVersionId, ifEtags: [] }, user);

  it('stores a definition as a new version, and changes nothing else', async () => {
    const before = await create([node('Set', 'set')]);
    const { workflow } = await replace(before, workflowOf([node('If', 'if')], { name: 'New name' }));
    expect(workflow).toMatchObject({
      id: before.id,
      name: 'New name',
      active: false,
      ownerId: 'u1',
      createdAt: before.createdAt,
    });
    expect(workflow?.versionId).not.toBe(before.versionId);
    expect(definitionOf(workflow).nodes.map(({ name }) => name)).toEqual(['If']);
    expect(await get(before.id)).toEqual(workflow);
  });

  it('replaces only if the current etag is among the given ones', async () => {
    const before = await create([webhook(`etag-${uuidv7()}`)]);
    const put = (...ifEtags: string[]) =>
      service.gateway.replaceWorkflow(
        { workflowId: before.id, definition: before.definition, ifVersionId: '', ifEtags },
        editor(),
      );
    const conflict = { reason: 'VERSION_CONFLICT', kind: 'precondition' };
    await service.gateway.activateWorkflow({ workflowId: before.id, ifEtags: [] }, editor());
    await expect(put(before.etag, 'other')).rejects.toMatchObject(conflict);
    const active = await get(before.id);
    const { workflow } = await put('other', active?.etag ?? '');
    await expect(put(active?.etag ?? '')).rejects.toMatchObject(conflict);
    expect(await get(before.id)).toEqual(workflow);
  });

  it('lets exactly one of many concurrent replacements of the same state through', async () => {
    const before = await create([node('Set', 'set')]);
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () =>
        service.gateway.replaceWorkflow(
          { workflowId: before.id, definition: before.definition, ifVersionId: '', ifEtags: [before.etag] },
          editor(),
        ),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('retains the previous version for executions that started with it', async () => {
    const before = await create([node('Set', 'set')]);
    await replace(before, workflowOf([]));
    const { versions } = await service.fromExecutions.getVersions({ versionIds: [before.versionId] });
    expect(definitionOf(versions[0])).toMatchObject({ nodes: [{ name: 'Set' }] });
  });

  it('accepts a definition as it was returned', async () => {
    const before = await create([node('Set', 'set', { a: 1 })], { meta: { a: [] } });
    const { workflow } = await replace(before, before);
    const unset = { versionId: '', updatedAt: '', etag: '' };
    expect({ ...workflow, ...unset }).toEqual({ ...before, ...unset });
  });

  it('makes the new version of an active workflow live at once', async () => {
    const before = await create([webhook('replace-a')], { active: true });
    const { workflow } = await replace(before, workflowOf([webhook('replace-b')]));
    expect(workflow?.active).toBe(true);
    expect(await resolve('replace-a')).toMatchObject({ found: false });
    expect(await resolve('replace-b')).toMatchObject({
      found: true,
      workflowId: before.id,
      versionId: workflow?.versionId,
    });
  });

  it('changes nothing if the new version of an active workflow cannot run or its address is taken', async () => {
    const holder = await create([webhook('replace-c')], { active: true });
    const before = await create([webhook('replace-d')], { active: true });
    await expect(replace(before, workflowOf([webhook('replace-c')]))).rejects.toMatchObject({
      reason: 'WEBHOOK_PATH_TAKEN',
      details: { path: 'replace-c', method: 'POST', workflowId: holder.id },
    });
    await expect(replace(before, workflowOf([node('What', 'nope')]))).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
    });
    await expect(replace(before, workflowOf([node('Set', 'set')]))).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
    });
    expect(await get(before.id)).toEqual(before);
    expect(await resolve('replace-d')).toMatchObject({ found: true, versionId: before.versionId });
  });

  it('stores a version that cannot run while the workflow is inactive', async () => {
    const { workflow } = await replace(await create([]), workflowOf([node('What', 'nope')]));
    expect(definitionOf(workflow).nodes[0]?.['type']).toBe('weft-nodes-base.nope');
  });

  it('refuses a replacement of a version that is no longer current', async () => {
    const before = await create([]);
    const { workflow } = await replace(before, workflowOf([]), before.versionId);
    await expect(replace(before, workflowOf([]), before.versionId)).rejects.toMatchObject({
      reason: 'VERSION_CONFLICT',
      kind: 'precondition',
      details: { workflowId: before.id, versionId: workflow?.versionId },
    });
  });

  it('lets one of racing conditional replacements win', async () => {
    const before = await create([]);
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => replace(before, workflowOf([], { name: `w${n}` }), before.versionId)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    for (const reason of reasons) expect(reason).toMatchObject({ reason: 'VERSION_CONFLICT' });
  });

  it('applies all racing unconditional replacements, one after the other', async () => {
    const before = await create([webhook('replace-race')], { active: true });
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, n) => replace(before, workflowOf([webhook('replace-race')], { name: `w${n}` }))),
    );
    const after = await get(before.id);
    expect(results.map(({ workflow }) => workflow?.versionId)).toContain(after?.versionId);
    expect(await resolve('replace-race')).toMatchObject({ found: true, versionId: after?.versionId });
  });

  it('is allowed to the owner of the workflow and to administrators', async () => {
    const before = await create([]);
    await expect(replace(before, workflowOf([]), '', service.as('u2', 'editor'))).rejects.toMatchObject({
      reason: 'FORBIDDEN',
      details: { workflowId: before.id },
    });
    const { workflow } = await replace(before, workflowOf([]), '', service.as('u2', 'admin'));
    expect(workflow?.ownerId).toBe('u1');
  });

  it('refuses invalid definitions and unknown ids', async () => {
    const before = await create([]);
    await expect(replace(before, workflowOf([node('', 'set')]))).rejects.toMatchObject({
      reason: 'INVALID_REQUEST',
      fields: [{ field: 'nodes[0].name' }],
    });
    await expect(
      replace({ ...before, id: uuidv7() }, workflowOf([]), '', service.as('u2', 'editor')),
    ).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
    expect(await get(before.id)).toEqual(before);
  });
});
