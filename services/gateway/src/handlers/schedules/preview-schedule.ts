import { InvalidRequest } from '@weft/service-kit/errors';
import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { previewText } from './schedule-json';

/** How many due times are asked for; 0 if the query does not say. @throws InvalidRequest */
const countOf = (query: ReadonlyMap<string, string>): number => {
  const text = query.get('count');
  if (text === undefined) return 0;
  const count = Number(text);
  if (!/^\d{1,3}$/.test(text) || count < 1 || count > 100)
    throw new InvalidRequest('count cannot be used.', [
      { field: 'count', message: 'Use a whole number from 1 to 100.' },
    ]);
  return count;
};

/**
 * GET /workflows/:id/schedule, an addition: the schedules of a workflow, how they stand, and the next `count` due
 * times.
 */
export const previewSchedule: ApiHandler = async ({ id, query, principal }, { schedules }) =>
  dataAnswer(
    previewText(await schedules.calls.previewSchedule({ workflowId: id, count: countOf(query) }, { principal })),
  );
