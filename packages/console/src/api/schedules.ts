import { weft } from './client';
import { pagedQuery } from './lists';

/** Schedules of active workflows, the next due first. */
export const schedulesQuery = pagedQuery(['schedules'], (page, signal) =>
  weft.call('listSchedules', { query: page, signal }),
);
