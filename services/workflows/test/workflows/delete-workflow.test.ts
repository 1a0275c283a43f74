import { webhook, workflowOf } from '../support/definitions';
import { preparedOrError } from '../support/prepared-starts';
import { startService, type TestService } from '../support/start-service';

describe('DeleteWorkflow', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const create = async (path: string) =>
    (await service.gateway.createWorkflow(workflowOf([webhook(path)], { active: true }), editor())).workflow;

  it('stops all starts of the workflow at once, and releases its addresses', async () => {
    const workflowId = (await create('delete-a'))?.id ?? '';
    await service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, editor());
    expect(
      (await service.gateway.resolveWebhooks({ addresses: [{ method: 'POST', path: 'delete-a' }] })).webhooks,
    ).toMatchObject([{ found: false }]);
    await expect(service.gateway.getWorkflow({ workflowId, knownEtags: [] }, editor())).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_FOUND',
    });
    await expect(service.gateway.activateWorkflow({ workflowId, ifEtags: [] }, editor())).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_FOUND',
    });
    const { results } = await service.fromExecutions.prepareStarts({
      starts: [{ workflowId, startNode: '', userId: '', role: '', projectIds: [] }],
    });
    expect(results.map(preparedOrError)).toMatchObject([{ reason: 'WORKFLOW_NOT_FOUND' }]);
    expect((await create('delete-a'))?.active).toBe(true);
  });

  it('retains the version that executions may still need', async () => {
    const workflow = await create('delete-b');
    await service.gateway.deleteWorkflow({ workflowId: workflow?.id ?? '', ifEtags: [] }, editor());
    expect(
      (await service.fromExecutions.getVersions({ versionIds: [workflow?.versionId ?? ''] })).versions,
    ).toHaveLength(1);
  });

  it('fails with not-found the second time', async () => {
    const workflowId = (await create('delete-c'))?.id ?? '';
    await service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, editor());
    await expect(service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, editor())).rejects.toMatchObject({
      reason: 'WORKFLOW_NOT_FOUND',
      details: { workflowId },
    });
  });

  it('is allowed to the owner of the workflow and to administrators', async () => {
    const workflowId = (await create('delete-d'))?.id ?? '';
    await expect(
      service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, service.as('u2', 'editor')),
    ).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await expect(
      service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, service.as('u1', 'viewer')),
    ).rejects.toMatchObject({
      reason: 'FORBIDDEN',
    });
    await service.gateway.deleteWorkflow({ workflowId, ifEtags: [] }, service.as('u2', 'owner'));
  });
});
