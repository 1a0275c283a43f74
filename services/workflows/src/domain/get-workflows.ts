import type { Workflow as WorkflowMessage } from '@weft/proto/workflows';
import { isUuid } from '@weft/service-kit/ids';
import { WorkflowNotFound } from './errors';
import type { WorkflowStore } from './ports';
import type { ViewWorkflows } from './view-workflow';

/** Reads workflows: one entry for each id, in order, WorkflowNotFound where there is none. */
export type GetWorkflows = (ids: readonly string[]) => Promise<(WorkflowMessage | WorkflowNotFound)[]>;

/** Reads by one query, and definitions through their cache. */
export const createGetWorkflows =
  (store: Pick<WorkflowStore, 'summaries'>, view: ViewWorkflows): GetWorkflows =>
  async (ids) => {
    const views = await view(await store.summaries([...new Set(ids)].filter(isUuid)));
    const byId = new Map(views.map((workflow) => [workflow.id, workflow]));
    return ids.map((id) => byId.get(id) ?? new WorkflowNotFound(id));
  };
