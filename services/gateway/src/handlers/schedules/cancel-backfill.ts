import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { backfillText } from './schedule-json';

/** POST /backfills/:id/cancel, an addition: ends a backfill; the runs that it started go on. */
export const cancelBackfill: ApiHandler = async ({ id, principal }, { schedules }) =>
  dataAnswer(backfillText((await schedules.calls.cancelBackfill({ backfillId: id }, { principal })).backfill));
