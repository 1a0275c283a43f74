import { isUuid } from '@weft/service-kit/ids';
import { WorkflowNotFound } from './errors';
import type { WorkflowStore } from './ports';
import type { ViewWorkflows } from './view-workflow';
import type { WorkflowView } from './workflow';

/** Reads workflows: one entry for each id, in order, WorkflowNotFound where there is none. */
export type GetWorkflows = (ids: readonly string[]) => Promise<(WorkflowView | WorkflowNotFound)[]>;

/** Reads by one query, and definitions through their cache. */
export const createGetWorkflows =
  (store: Pick<WorkflowStore, 'summaries'>, view: ViewWorkflows): GetWorkflows =>
  async (ids) => {
    const views = await view(await store.summaries([...new Set(ids)].filter(isUuid)));
    const byId = new Map(views.map((one) => [one.workflow.id, one]));
    return ids.map((id) => byId.get(id) ?? new WorkflowNotFound(id));
  };
