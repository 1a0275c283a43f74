import type { ApiHandler } from '../api-handler';
import { workflowAnswer } from './workflow-json';

/** POST /workflows/:id/deactivate: withdraws its triggers; answers the whole workflow. Repeating it changes nothing. */
export const deactivateWorkflow: ApiHandler = async ({ id, principal }, { workflows }) => {
  const { workflow } = await workflows.calls.deactivateWorkflow({ workflowId: id }, { principal });
  return workflowAnswer(workflow);
};
