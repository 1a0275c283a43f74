import { DELETED } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';

/** DELETE /workflows/:id: its webhooks and schedules go at once. */
export const deleteWorkflow: ApiHandler = async ({ id, principal }, { workflows }) => {
  await workflows.calls.deleteWorkflow({ workflowId: id }, { principal });
  return DELETED;
};
