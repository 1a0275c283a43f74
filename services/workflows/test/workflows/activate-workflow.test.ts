import { uuidv7 } from '@weft/service-kit/ids';
import { node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('ActivateWorkflow', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const create = async (...parameters: Parameters<typeof workflowOf>): Promise<string> =>
    (await service.gateway.createWorkflow(workflowOf(...parameters), editor())).workflow?.id ?? '';
  const activate = (workflowId: string, user = editor()) =>
    service.gateway.activateWorkflow({ workflowId, ifEtags: [] }, user);
  const resolve = async (path: string) =>
    (await service.gateway.resolveWebhooks({ addresses: [{ method: 'POST', path }] })).webhooks[0];

  it('makes webhooks reachable', async () => {
    const id = await create([webhook('activate-a')]);
    expect(await resolve('activate-a')).toMatchObject({ found: false });
    const { workflow } = await activate(id);
    expect(workflow).toMatchObject({ id, active: true });
    expect(await service.gateway.getWorkflow({ workflowId: id, knownEtags: [] }, editor())).toMatchObject({ workflow });
    expect(await resolve('activate-a')).toMatchObject({ found: true, workflowId: id });
  });

  it('suggests the node for a misspelt link, and warns about other dangling links', async () => {
    const link = (name: string) => ({ Hook: { main: [[{ node: name, type: 'main', index: 0 }]] } });
    const nodes = [webhook('activate-links'), node('Reply', 'noOp')];
    const field = 'connections["Hook"].main[0][0].node';
    await expect(activate(await create(nodes, { connections: link('reply') }))).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
      fields: [{ field, message: expect.stringContaining('Did you mean "Reply"?') }],
    });
    const { workflow, warnings } = await activate(await create(nodes, { connections: link('Reply1') }));
    expect([workflow?.active, warnings]).toEqual([
      true,
      [{ field, message: expect.stringContaining('never followed') }],
    ]);
  });

  it('is refused with an outdated ETag, and so is a deactivation', async () => {
    const id = await create([webhook('activate-etag')]);
    const { workflow: before } = await service.gateway.getWorkflow({ workflowId: id, knownEtags: [] }, editor());
    const condition = { workflowId: id, ifEtags: [before?.etag ?? ''] };
    await service.gateway.activateWorkflow(condition, editor());
    for (const change of ['activateWorkflow', 'deactivateWorkflow'] as const)
      await expect(service.gateway[change](condition, editor())).rejects.toMatchObject({ reason: 'VERSION_CONFLICT' });
    expect(await resolve('activate-etag')).toMatchObject({ found: true });
  });

  it('changes nothing when repeated', async () => {
    const id = await create([webhook('activate-b')]);
    const first = await activate(id);
    expect(await activate(id)).toEqual(first);
  });

  it('gives an address to exactly one of twenty racing activations, and names the holder to the others', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => create([webhook('activate-race')])));
    const results = await Promise.allSettled(ids.map((id) => activate(id)));
    const winners = ids.filter((_, index) => results[index]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({
          reason: 'WEBHOOK_PATH_TAKEN',
          kind: 'conflict',
          details: { path: 'activate-race', method: 'POST', workflowId: winners[0] },
        });
      }
    }
    expect(await resolve('activate-race')).toMatchObject({ workflowId: winners[0] });
  });

  it('treats paths that differ only in parameter names as one address', async () => {
    const parameter = (path: string) => create([{ ...webhook(path), webhookId: 'fixed' }]);
    const holder = await parameter('a/:id');
    await activate(holder);
    await expect(activate(await parameter('a/:other'))).rejects.toMatchObject({
      reason: 'WEBHOOK_PATH_TAKEN',
      details: { path: 'fixed/a/:other', workflowId: holder },
    });
    await activate(await create([{ ...webhook('a/:id', { httpMethod: 'PUT' }), webhookId: 'fixed' }]));
  });

  it('reports every error that prevents a run, with its field', async () => {
    const id = await create([
      webhook('activate-d'),
      node('What', 'nope'),
      node('Hook 2', 'webhook', { path: 'x', authentication: 'digest' }),
    ]);
    await expect(activate(id)).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
      kind: 'invalid',
      details: { workflowId: id },
      fields: [{ field: 'nodes[1].type' }, { field: 'nodes[2].parameters.authentication' }],
    });
    expect(await resolve('activate-d')).toMatchObject({ found: false });
  });

  it('refuses a workflow without an enabled trigger', async () => {
    const id = await create([node('Set', 'set'), { ...webhook('activate-e'), disabled: true }]);
    await expect(activate(id)).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
      fields: [{ field: 'nodes', message: expect.stringContaining('no enabled trigger') }],
    });
  });

  it('refuses more addresses than the limit of a workflow', async () => {
    const id = await create(Array.from({ length: 501 }, (_, n) => webhook(`many-${n}`, {}, `Hook ${n}`)));
    await expect(activate(id)).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_RUNNABLE',
      fields: [{ message: expect.stringContaining('500') }],
    });
  });

  it('is allowed to the owner of the workflow and to administrators', async () => {
    const id = await create([webhook('activate-f')]);
    await expect(activate(id, service.as('u2', 'editor'))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(activate(uuidv7(), service.as('u2', 'editor'))).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_FOUND',
    });
    await expect(activate(id, service.as('u1', 'viewer'))).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect((await activate(id, service.as('u2', 'admin'))).workflow?.active).toBe(true);
  });
});
