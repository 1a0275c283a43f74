import type { WorkflowStore } from './ports';
import { existing } from './user';
import { viewOne, type ViewWorkflows } from './view-workflow';
import type { WorkflowView } from './workflow';

/** Reads one workflow. @throws WorkflowNotFound */
export type GetWorkflow = (id: string) => Promise<WorkflowView>;

export const createGetWorkflow = (store: Pick<WorkflowStore, 'find'>, view: ViewWorkflows): GetWorkflow => async (id) =>
  viewOne(view, existing(await store.find(id), id));
