import { uuidv7 } from '@weft/service-kit/ids';
import { definitionOf, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

describe('the versions of a workflow', () => {
  let service: TestService;
  const editor = () => service.as('u1', 'editor');
  const create = async () => (await service.gateway.createWorkflow(workflowOf([webhook(uuidv7())]), editor())).workflow;
  const replace = async (workflowId: string) => {
    const { definition } = workflowOf([webhook(uuidv7())]);
    const change = { workflowId, definition, ifVersionId: '', ifEtags: [] };
    return (await service.gateway.replaceWorkflow(change, editor())).workflow;
  };
  const listAll = async (workflowId: string, limit: number) => {
    const found = [];
    for (let cursor = ''; ;) {
      const page = await service.gateway.listWorkflowVersions({ workflowId, limit, cursor }, editor());
      found.push(...page.versions);
      if (page.nextCursor === '') return found;
      cursor = page.nextCursor;
    }
  };

  const projectId = uuidv7();

  beforeAll(async () => {
    service = await startService();
    service.destinations.add(projectId);
    service.projects.closed.add(projectId);
  });
  afterAll(() => service.stop());

  it('are listed newest first, page by page, with the current one marked', async () => {
    const created = await create();
    const workflowId = created?.id ?? '';
    const [second, third] = [await replace(workflowId), await replace(workflowId)];
    await create();
    for (const limit of [1, 2, 20])
      expect(await listAll(workflowId, limit)).toMatchObject([
        { versionId: third?.versionId, hash: third?.definitionHash, current: true },
        { versionId: second?.versionId, hash: second?.definitionHash, current: false },
        { versionId: created?.versionId, hash: created?.definitionHash, current: false },
      ]);
  });

  it('do not include definitions that were sent with a start', async () => {
    const workflow = await create();
    const workflowId = workflow?.id ?? '';
    for (let number = 0; number < 3; number += 1)
      await service.fromExecutions.prepareStarts({
        starts: [
          {
            workflowId,
            startNode: '',
            userId: '',
            role: '',
            projectIds: [],
            definition: Buffer.from(
              JSON.stringify({
                nodes: [{ name: `n${number}`, type: 'n8n-nodes-base.manualTrigger' }],
                connections: {},
              }),
            ),
          },
        ],
      });
    for (const limit of [1, 20])
      expect((await listAll(workflowId, limit)).map(({ versionId }) => versionId)).toEqual([workflow?.versionId]);
  });

  it('are read one by one, with their definitions', async () => {
    const created = await create();
    await replace(created?.id ?? '');
    const workflowId = created?.id ?? '';
    const { version, definition } = await service.gateway.getWorkflowVersion(
      { workflowId, versionId: created?.versionId ?? '' },
      editor(),
    );
    expect(version).toMatchObject({ versionId: created?.versionId, hash: created?.definitionHash, current: false });
    expect(definitionOf({ definition })).toEqual(definitionOf(created));
  });

  it('are refused for the versions of another workflow, unknown ones, and in closed projects', async () => {
    const [one, other] = [await create(), await create()];
    const read = (workflowId: string, versionId: string, who = editor()) =>
      service.gateway.getWorkflowVersion({ workflowId, versionId }, who);
    for (const versionId of [other?.versionId ?? '', uuidv7(), 'x'])
      await expect(read(one?.id ?? '', versionId)).rejects.toMatchObject({ reason: 'VERSION_NOT_FOUND' });
    for (const workflowId of [uuidv7(), 'x'])
      await expect(read(workflowId, one?.versionId ?? '')).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
    const member = service.as('member', 'editor', projectId);
    const { workflow } = await service.gateway.createWorkflow(
      { ...workflowOf([webhook(uuidv7())]), projectId },
      member,
    );
    const page = { workflowId: workflow?.id ?? '', limit: 5, cursor: '' };
    await expect(service.gateway.listWorkflowVersions(page, editor())).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    await expect(read(workflow?.id ?? '', workflow?.versionId ?? '')).rejects.toMatchObject({ reason: 'FORBIDDEN' });
    expect((await service.gateway.listWorkflowVersions(page, member)).versions).toHaveLength(1);
  });
});
