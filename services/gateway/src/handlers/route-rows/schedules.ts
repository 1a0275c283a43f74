import { CREATION_KEY, CREATION_KEY_REASONS } from '../../http/idempotency-key';
import { PAGE } from '../../http/read-query';
import { answers, creates, pages } from '../../openapi/route-doc';
import { dataBody, listOf } from '../../openapi/schema';
import type { Route } from '../api-handler';
import { BACKFILL, SCHEDULE_PREVIEW, WORKFLOW_SCHEDULE } from '../schedules/schedule-json';
import {
  BACKFILL_BODY,
  BACKFILL_DRY_RUN,
  BACKFILL_STATE,
  cancelBackfill,
  DUE_TIMES,
  listAllBackfills,
  listBackfills,
  listSchedules,
  previewSchedule,
  startBackfill,
} from '../schedules/schedules';

/** Schedules and backfills. */
export const SCHEDULE_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/workflows/:id/schedule',
    query: [DUE_TIMES],
    body: 'none',
    handler: previewSchedule,
    doc: {
      tag: 'Schedules',
      summary: 'Get the schedules of a workflow',
      description:
        'Their state, the next due times, and whether the services of triggers of apps know the address to call.',
      answers: answers(SCHEDULE_PREVIEW),
      reasons: ['WORKFLOW_NOT_FOUND'],
    },
  },
  {
    method: 'POST',
    path: '/workflows/:id/backfill',
    query: [],
    body: 'required',
    request: BACKFILL_BODY,
    handler: startBackfill,
    doc: {
      tag: 'Schedules',
      summary: 'Run due times of the past',
      description: 'Each due time of the period runs once, in the background.',
      headers: [CREATION_KEY],
      answers: {
        200: { description: 'The count of a dry run.', body: dataBody(BACKFILL_DRY_RUN) },
        ...creates(BACKFILL, 'The backfill.'),
      },
      reasons: [...CREATION_KEY_REASONS, 'WORKFLOW_NOT_FOUND', 'WORKFLOW_NOT_RUNNABLE', 'TOO_MANY_BACKFILLS'],
    },
  },
  {
    method: 'GET',
    path: '/workflows/:id/backfills',
    query: [],
    body: 'none',
    handler: listBackfills,
    doc: {
      tag: 'Schedules',
      summary: 'List the backfills of a workflow',
      description: 'The last 50, newest first.',
      answers: answers(listOf(BACKFILL)),
      reasons: ['WORKFLOW_NOT_FOUND'],
    },
  },
  {
    method: 'GET',
    path: '/schedules',
    query: PAGE,
    body: 'none',
    handler: listSchedules,
    doc: {
      tag: 'Schedules',
      summary: 'List schedules',
      description:
        'Schedules of active workflows, the next due first. `limit` is a number of workflows, each of which may have ' +
        'several schedules.',
      answers: pages(WORKFLOW_SCHEDULE),
    },
  },
  {
    method: 'GET',
    path: '/backfills',
    query: [...PAGE, BACKFILL_STATE],
    body: 'none',
    handler: listAllBackfills,
    doc: {
      tag: 'Schedules',
      summary: 'List backfills',
      description: 'Of all workflows, newest first. Ended backfills are listed for 30 days.',
      answers: pages(BACKFILL),
    },
  },
  {
    method: 'POST',
    path: '/backfills/:id/cancel',
    query: [],
    body: 'none',
    handler: cancelBackfill,
    doc: {
      tag: 'Schedules',
      summary: 'Cancel a backfill',
      description: 'The runs that it has started continue.',
      answers: answers(BACKFILL),
      reasons: ['BACKFILL_NOT_FOUND'],
    },
  },
];
