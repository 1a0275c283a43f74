import type { Workflow } from '@weft/proto/workflows';
import { uuidv7 } from '@weft/service-kit/ids';
import { connectDatabase, type Database } from '@weft/service-kit/mongo';
import { testMongodbUri } from '@weft/service-kit/testing';
import { workflowModel } from '../../src/store/workflows/workflow-schema';
import { node, workflowOf } from '../support/definitions';
import { startService, type TestService } from '../support/start-service';

const called = () => node('Called', 'executeWorkflowTrigger', {}, { notes: 'Adds tax.' });
const TOOL = { settings: { availableInMCP: true } };

describe('a workflow that is a tool of MCP clients', () => {
  let service: TestService;
  let database: Database;
  const editor = () => service.as('u1', 'editor');
  const create = async (over: Record<string, unknown> = TOOL, active = true): Promise<Workflow | undefined> =>
    (await service.gateway.createWorkflow(workflowOf([called()], { active, ...over }), editor())).workflow;
  const replace = async (
    workflow: Workflow | undefined,
    over: Record<string, unknown>,
  ): Promise<Workflow | undefined> => {
    const { definition } = workflowOf([called()], over);
    const request = { workflowId: workflow?.id ?? '', definition, ifVersionId: '', ifEtags: [] };
    return (await service.gateway.replaceWorkflow(request, editor())).workflow;
  };
  const activate = async ({ id = '' }: Partial<Workflow> = {}) => {
    await service.gateway.deactivateWorkflow({ workflowId: id, ifEtags: [] }, editor());
    await service.gateway.activateWorkflow({ workflowId: id, ifEtags: [] }, editor());
  };
  const tools = async (filter: object = {}) => {
    const page = { limit: 100, cursor: '', summary: true, mcpTools: true, active: true };
    const { workflows } = await service.gateway.listWorkflows({ ...page, ...filter }, editor());
    return workflows.flatMap(({ id, mcpTool }) => (mcpTool === undefined ? [] : [id]));
  };

  beforeAll(async () => {
    service = await startService();
    database = await connectDatabase(testMongodbUri(), service.database);
  });
  afterAll(async () => {
    await database.close();
    await service.stop();
  });

  it('is listed with its trigger while it is active, without its definition', async () => {
    const workflow = await create();
    await create({});
    const inactive = await create(TOOL, false);
    expect(workflow?.mcpTool).toMatchObject({
      node: 'Called',
      trigger: 'executeWorkflowTrigger',
      description: 'Adds tax.',
    });
    expect(await tools()).toEqual([workflow?.id]);
    expect(await tools({ active: undefined })).toEqual([inactive?.id, workflow?.id]);
    await service.gateway.deactivateWorkflow({ workflowId: workflow?.id ?? '', ifEtags: [] }, editor());
    expect(await tools()).toEqual([]);
  });

  it('changes with its definition', async () => {
    const workflow = await create({});
    expect((await replace(workflow, TOOL))?.mcpTool).toBeDefined();
    expect(await tools()).toContain(workflow?.id);
    expect((await replace(workflow, {}))?.mcpTool).toBeUndefined();
    expect(await tools()).not.toContain(workflow?.id);
  });

  it('is no longer listed after a write of an earlier release, until it is activated again', async () => {
    const workflow = await create();
    const other = await create();
    const model = workflowModel(database.connection);
    // A replacement by a release that does not know the fields, and a creation by it.
    await model.updateOne({ _id: workflow?.id ?? '' }, { $set: { 'mcpTool.versionId': uuidv7() } });
    await model.updateOne({ _id: other?.id ?? '' }, { $unset: { mcpTool: '', isMcpTool: '' } });
    for (const one of [workflow, other]) {
      expect(await tools()).not.toContain(one?.id);
      await activate(one);
      expect(await tools()).toContain(one?.id);
    }
  });
});
