import type { ApiHandler } from '../api-handler';
import { workflowAnswer } from './workflow-json';

/** GET /workflows/:id: the whole workflow, with everything it was stored with. */
export const getWorkflow: ApiHandler = async ({ id, principal }, { workflows }) => {
  const { workflow } = await workflows.calls.getWorkflow({ workflowId: id }, { principal });
  return workflowAnswer(workflow);
};
