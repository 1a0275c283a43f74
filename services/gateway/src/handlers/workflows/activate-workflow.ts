import type { ApiHandler } from '../api-handler';
import { workflowAnswer } from './workflow-json';

/** POST /workflows/:id/activate: makes its triggers live; answers the whole workflow. Repeating it changes nothing. */
export const activateWorkflow: ApiHandler = async ({ id, principal }, { workflows }) => {
  const { workflow } = await workflows.calls.activateWorkflow({ workflowId: id }, { principal });
  return workflowAnswer(workflow);
};
