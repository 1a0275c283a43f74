import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { backfillText } from './schedule-json';

/** GET /workflows/:id/backfills, an addition: the last backfills of a workflow, newest first. */
export const listBackfills: ApiHandler = async ({ id, principal }, { schedules }) => {
  const { backfills } = await schedules.calls.listBackfills({ workflowId: id }, { principal });
  return dataAnswer(`[${backfills.map(backfillText).join(',')}]`);
};
