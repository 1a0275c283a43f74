import { DELETED } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';

/** DELETE /executions/:id: deletes the record and its data; a run that has not ended is cancelled first. */
export const deleteExecution: ApiHandler = async ({ id, principal }, { executions }) => {
  await executions.calls.deleteExecution({ executionId: id }, { principal });
  return DELETED;
};
