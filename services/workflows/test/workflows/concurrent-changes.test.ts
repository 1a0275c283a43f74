import type { Workflow } from '@weft/proto/workflows';
import { node, webhook, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

const WRITERS = 40;

describe('concurrent changes of one workflow', () => {
  let service: TestService;
  let replicas: TestService['gateway'][];
  beforeAll(async () => {
    service = await startService();
    replicas = [service.gateway, await service.addReplica()];
  });
  afterAll(() => service.stop());
  const editor = () => service.as('u1', 'editor');
  const create = async (path: string): Promise<Workflow> => {
    const { workflow } = await service.gateway.createWorkflow(workflowOf([webhook(path)]), editor());
    if (workflow === undefined) throw new Error('nothing was created');
    return workflow;
  };
  const get = async (workflowId: string) =>
    (await service.gateway.getWorkflow({ workflowId, knownEtags: [] }, editor())).workflow;

  it('all succeed at two replicas, and the last one wins', async () => {
    const { id } = await create('many-puts');
    const answers = await Promise.all(
      Array.from({ length: WRITERS }, (_, index) =>
        (replicas[index % 2] ?? service.gateway).replaceWorkflow(
          {
            ...workflowOf([webhook('many-puts'), node(`Set ${index}`, 'set')]),
            workflowId: id,
            ifVersionId: '',
            ifEtags: [],
          },
          editor(),
        ),
      ),
    );
    const versions = answers.map(({ workflow }) => workflow?.versionId);
    expect(new Set(versions).size).toBe(WRITERS);
    expect(versions).toContain((await get(id))?.versionId);
  });

  it('do not make an overtaken deletion look completed', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await create(`deleted-${round}`);
      await service.gateway.activateWorkflow({ workflowId: id, ifEtags: [] }, editor());
      await Promise.allSettled([
        ...replicas.map((replica) => replica.deactivateWorkflow({ workflowId: id, ifEtags: [] }, editor())),
        service.gateway.deleteWorkflow({ workflowId: id, ifEtags: [] }, editor()),
      ]);
      await expect(get(id)).rejects.toMatchObject({ reason: 'WORKFLOW_NOT_FOUND' });
    }
  });
});
