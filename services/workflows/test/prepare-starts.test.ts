import type { StartWish } from '@weft/proto/workflows';
import { uuidv7 } from '@weft/service-kit/ids';
import { node, webhook, workflowOf } from './support/definitions';
import { startService, type TestService } from './support/start-service';

describe('PrepareStarts', () => {
  let service: TestService;
  beforeAll(async () => { service = await startService(); });
  afterAll(() => service.stop());
  const create = async (...nodes: Parameters<typeof workflowOf>[0]) =>
    (await service.gateway.createWorkflow(workflowOf(nodes), service.as('u1', 'editor'))).workflow;
  const wish = (workflowId: string | undefined, rest: Partial<StartWish> = {}): StartWish => ({ workflowId: workflowId ?? '', startNode: '', userId: 'u1', role: 'editor', ...rest });
  const prepare = async (...starts: StartWish[]) => (await service.fromExecutions.prepareStarts({ starts })).starts;

  it('pins version, owner and start node of an inactive workflow too, for each wish in order', async () => {
    const hook = await create(webhook('prepare-a'), node('Set', 'set'));
    const manual = await create(webhook('prepare-b'), node('Start', 'manualTrigger'));
    expect(await prepare(wish(manual?.id), wish(uuidv7()), wish(hook?.id), wish(hook?.id, { startNode: 'Set' }))).toEqual([
      { refusalReason: '', refusalMessage: '', versionId: manual?.versionId, ownerId: 'u1', startNode: 'Start', faults: [] },
      expect.objectContaining({ refusalReason: 'WORKFLOW_NOT_FOUND' }),
      { refusalReason: '', refusalMessage: '', versionId: hook?.versionId, ownerId: 'u1', startNode: 'Hook', faults: [] },
      { refusalReason: '', refusalMessage: '', versionId: hook?.versionId, ownerId: 'u1', startNode: 'Set', faults: [] },
    ]);
  });

  it('follows a replacement at once', async () => {
    const before = await create(node('Start', 'manualTrigger'));
    await prepare(wish(before?.id));
    const { workflow } = await service.gateway.replaceWorkflow({ ...workflowOf([node('Other', 'manualTrigger')]), workflowId: before?.id ?? '', ifVersionId: '' }, service.as('u1', 'editor'));
    expect(await prepare(wish(before?.id))).toMatchObject([{ versionId: workflow?.versionId, startNode: 'Other' }]);
  });

  it('checks role and owner of the user, but not of a service', async () => {
    const workflow = await create(node('Start', 'manualTrigger'));
    const starts = await prepare(
      wish(workflow?.id, { userId: 'u2' }), wish(workflow?.id, { role: 'viewer' }), wish(workflow?.id, { role: 'nobody' }), wish(workflow?.id, { role: '' }),
      wish(workflow?.id, { userId: 'u2', role: 'admin' }), wish(workflow?.id, { userId: '', role: '' }),
    );
    expect(starts.map(({ refusalReason }) => refusalReason)).toEqual(['FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', 'FORBIDDEN', '', '']);
  });

  it('tells what keeps a workflow from running, with its place', async () => {
    const broken = await create(node('Start', 'manualTrigger'), node('What', 'nope'));
    const empty = await create(node('Set', 'set'));
    const fine = await create(node('Start', 'manualTrigger'), node('Off', 'set', {}, { disabled: true }));
    expect(await prepare(wish(broken?.id), wish(empty?.id), wish(fine?.id, { startNode: 'Gone' }), wish(fine?.id, { startNode: 'Off' }))).toMatchObject([
      { refusalReason: 'WORKFLOW_NOT_RUNNABLE', faults: [{ path: 'nodes[1].type' }] },
      { refusalReason: 'WORKFLOW_NOT_RUNNABLE', faults: [{ path: 'nodes' }] },
      { refusalReason: 'WORKFLOW_NOT_RUNNABLE', faults: [{ path: 'startNode' }] },
      { refusalReason: 'WORKFLOW_NOT_RUNNABLE', faults: [{ path: 'startNode' }] },
    ]);
  });

  it.each(['', 'x', 'x'.repeat(10_000), '{"$gt":""}'])('finds no workflow under the id %j', async (workflowId) => {
    expect(await prepare(wish(workflowId))).toMatchObject([{ refusalReason: 'WORKFLOW_NOT_FOUND' }]);
  });

  it('refuses more than five hundred wishes in one call', async () => {
    await expect(prepare(...Array.from({ length: 501 }, () => wish('x')))).rejects.toMatchObject({ reason: 'INVALID_REQUEST', fields: [{ field: 'starts' }] });
  });

  it('is for the executions service', async () => {
    await expect(service.gateway.prepareStarts({ starts: [] })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(service.fromRunner.prepareStarts({ starts: [] })).rejects.toMatchObject({ reason: 'FORBIDDEN' });
  });
});
