import type { ListWorkflowsResponse, Workflow as WorkflowMessage } from '@weft/proto/workflows';
import { InternalError } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { readPage } from '@weft/service-kit/paging';
import type { DerivedVersions } from './derived-versions';
import { WorkflowNotFound } from './errors';
import type { WorkflowStore } from './ports';
import type { WorkflowSummary } from './workflow';

/** Joins workflows with their current definitions, in order. */
export type ViewWorkflows = (workflows: readonly WorkflowSummary[]) => Promise<WorkflowMessage[]>;

/** Use cases that read workflows. */
export interface WorkflowReads {
  /**
   * Pages through workflows, newest first; pages remain consistent while workflows change. A page may be
   * shorter than requested, so that it fits into one message: only an empty cursor means the end.
   * @throws InvalidRequest for a limit above 100 or an unknown cursor
   */
  readonly listWorkflows: (limit: number, cursor: string) => Promise<ListWorkflowsResponse>;
  /** Reads workflows by one query: one entry for each id, in order, WorkflowNotFound where there is none. */
  readonly getWorkflows: (ids: readonly string[]) => Promise<(WorkflowMessage | WorkflowNotFound)[]>;
}

/** Maximum bytes of definitions in one page, the first one not counted: well below the maximum message size. */
const MAX_PAGE_BYTES = 4_000_000;

/** Converts a workflow and its current definition. */
export const toWorkflowMessage = (
  { id, name, active, createdAt, updatedAt, versionId, ownerId }: WorkflowSummary,
  definition: Buffer,
): WorkflowMessage => ({ id, name, active, createdAt, updatedAt, definition, versionId, ownerId });

/** @throws InternalError if a version is missing: a workflow is never stored before its version */
export const createViewWorkflows = (definitions: DerivedVersions<Buffer>): ViewWorkflows =>
  async function viewWorkflows(workflows) {
    const byVersion = await definitions(workflows.map((workflow) => workflow.versionId));
    return workflows.map((workflow) => {
      const definition = byVersion.get(workflow.versionId);
      if (definition === undefined)
        throw new InternalError(
          new Error(`Version ${workflow.versionId} of workflow ${workflow.id} is not in the store.`),
        );
      return toWorkflowMessage(workflow, definition);
    });
  };

/** Joins one workflow with its current definition. */
export const viewOne = async (view: ViewWorkflows, workflow: WorkflowSummary): Promise<WorkflowMessage> => {
  const [one] = await view([workflow]);
  if (one === undefined) throw new InternalError(new Error('A view is missing.'));
  return one;
};

const fittingIntoPage = (workflows: readonly WorkflowSummary[]): readonly WorkflowSummary[] => {
  let bytes = 0;
  const end = workflows.findIndex((workflow, index) => {
    if (index > 0) bytes += workflow.definitionBytes;
    return bytes > MAX_PAGE_BYTES;
  });
  return end < 0 ? workflows : workflows.slice(0, end);
};

/** Reads of a store; definitions come through their cache. */
export const workflowReads = (
  store: Pick<WorkflowStore, 'page' | 'summaries'>,
  view: ViewWorkflows,
): WorkflowReads => ({
  listWorkflows: async (limit, cursor) => {
    const source = { read: store.page, idOf: ({ id }: WorkflowSummary) => id, fit: fittingIntoPage };
    const { items, nextCursor } = await readPage(source, { limit, cursor });
    return { workflows: await view(items), nextCursor };
  },
  getWorkflows: async (ids) => {
    const views = await view(await store.summaries([...new Set(ids)].filter(isUuid)));
    const byId = new Map(views.map((workflow) => [workflow.id, workflow]));
    return ids.map((id) => byId.get(id) ?? new WorkflowNotFound(id));
  },
});
