import { type Workflow, WorkflowServiceService } from '@weft/proto/workflows';
import type { Calls } from '@weft/service-kit/grpc';
import type { JsonObject } from '@weft/node-catalogue';
import { listField, textField } from '@weft/node-catalogue';
import type { InstancePage, WorkflowFilter } from '@weft/engine';
import type { ClaimedExecution } from '../domain/claims/claimed-execution';
import { type Act, DEADLINE_MS, deleted, limitOf, listOf, unsupported } from './instance-call';
import { present, workflowJson } from './instance-json';

const tagsOf = (workflow: JsonObject): ReadonlySet<string> =>
  new Set(listField(workflow, 'tags').map((tag) => (typeof tag === 'string' ? tag : (textField(tag, 'name') ?? ''))));

const matches = (workflow: JsonObject, { active, name, tags }: WorkflowFilter): boolean => {
  const wanted = (tags ?? '').split(',').map((tag) => tag.trim());
  const own = tagsOf(workflow);
  return (
    (active === undefined || workflow['active'] === active) &&
    (textField(workflow, 'name') ?? '').toLowerCase().includes((name ?? '').trim().toLowerCase()) &&
    wanted.every((tag) => tag === '' || own.has(tag))
  );
};

const withoutPins = ({ pinData: _, ...workflow }: JsonObject): JsonObject => workflow;

/** The project to create a workflow in; undefined: that of the running workflow. */
const projectOf = (definition: JsonObject): string | undefined => textField(definition, 'projectId');

/** Calls about workflows. */
export const workflowCalls = (calls: Calls<typeof WorkflowServiceService>, act: Act, { ownerId }: ClaimedExecution) => {
  const get = async (workflowId: string): Promise<Workflow> =>
    present(
      (
        await act(WorkflowServiceService.getWorkflow, (options) =>
          calls.getWorkflow({ workflowId, knownEtags: [] }, options),
        )
      ).workflow,
    );
  const list = (limit: number, cursor: string, projectId?: string) =>
    act(WorkflowServiceService.listWorkflows, (options) =>
      calls.listWorkflows({ limit, cursor, summary: false, projectId }, options),
    );
  /** Finds the workflow that an earlier try created if its response was lost: the newest ones come first. */
  const madeSince = async (since: number, definition: JsonObject): Promise<Workflow | undefined> =>
    (await list(20, '')).workflows.find(
      (workflow) =>
        workflow.ownerId === (projectOf(definition) ?? ownerId) &&
        workflow.name === definition['name'] &&
        (workflow.createdAt?.getTime() ?? 0) >= since &&
        listField(workflowJson(workflow), 'nodes').length === listField(definition, 'nodes').length,
    );
  const requireCurrent = async (workflowId: string, versionId: string): Promise<Workflow> => {
    const workflow = await get(workflowId);
    if (workflow.versionId !== versionId)
      throw unsupported(
        `The version ${versionId.slice(0, 100)} of the workflow is not the current one`,
        'Earlier versions of a workflow can be neither read nor activated here.',
      );
    return workflow;
  };
  return {
    list: async (page: InstancePage, filter: WorkflowFilter): Promise<JsonObject> => {
      const { workflows, nextCursor } = await list(limitOf(page), page.cursor ?? '', filter.projectId);
      const found = workflows.map(workflowJson).filter((workflow) => matches(workflow, filter));
      return listOf(filter.excludePinnedData === true ? found.map(withoutPins) : found, nextCursor);
    },
    get: async (workflowId: string) => workflowJson(await get(workflowId)),
    getVersion: async (workflowId: string, versionId: string): Promise<JsonObject> => {
      const workflow = workflowJson(await requireCurrent(workflowId, versionId));
      const { name, nodes = [], connections = {}, createdAt = null, updatedAt = null } = workflow;
      return { versionId, workflowId, name: name ?? null, nodes, connections, createdAt, updatedAt };
    },
    create: async (definition: JsonObject): Promise<JsonObject> => {
      const since = Date.now() - DEADLINE_MS;
      const workflow = await act(WorkflowServiceService.createWorkflow, async (options, triesBefore) => {
        const made = triesBefore === 0 ? undefined : await madeSince(since, definition);
        if (made !== undefined) return made;
        const created = { definition: Buffer.from(JSON.stringify(definition)), projectId: projectOf(definition) };
        return (await calls.createWorkflow({ ...created, active: false }, options)).workflow;
      });
      return workflowJson(present(workflow));
    },
    update: async (workflowId: string, definition: JsonObject): Promise<JsonObject> => {
      const { workflow } = await act(WorkflowServiceService.replaceWorkflow, (options) =>
        calls.replaceWorkflow(
          { workflowId, definition: Buffer.from(JSON.stringify(definition)), ifVersionId: '', ifEtags: [] },
          options,
        ),
      );
      return workflowJson(present(workflow));
    },
    remove: async (workflowId: string): Promise<JsonObject> => {
      const before = await get(workflowId);
      await act(WorkflowServiceService.deleteWorkflow, (options, triesBefore) =>
        deleted(() => calls.deleteWorkflow({ workflowId, ifEtags: [] }, options), triesBefore, 'WORKFLOW_NOT_FOUND'),
      );
      return { ...workflowJson(before), active: false };
    },
    activate: async (workflowId: string, versionId: string | undefined): Promise<JsonObject> => {
      const ifEtags = versionId === undefined ? [] : [(await requireCurrent(workflowId, versionId)).etag];
      const { workflow } = await act(WorkflowServiceService.activateWorkflow, (options) =>
        calls.activateWorkflow({ workflowId, ifEtags }, options),
      );
      return workflowJson(present(workflow));
    },
    deactivate: async (workflowId: string): Promise<JsonObject> => {
      const { workflow } = await act(WorkflowServiceService.deactivateWorkflow, (options) =>
        calls.deactivateWorkflow({ workflowId, ifEtags: [] }, options),
      );
      return workflowJson(present(workflow));
    },
  };
};
