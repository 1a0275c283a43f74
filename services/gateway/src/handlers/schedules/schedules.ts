import type { StartBackfillRequest } from '@weft/proto/schedules';
import { creationKey } from '../../http/idempotency-key';
import type { Json } from '@weft/service-kit/json';
import { choiceParameter, numberParameter } from '../../http/read-query';
import { flag, integer, object, readBody, text, time } from '../../http/shape';
import { dataAnswer } from '../../middleware/responses/write-answer';
import { COUNT, record } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { pageAnswer } from '../list-answer';
import { BACKFILL_STATES, backfillText, previewText, workflowScheduleText } from './schedule-json';

/** Number of requested due times. */
export const DUE_TIMES = numberParameter('count', 100, 'Number of due times to list.');

/**
 * GET /workflows/:id/schedule, an addition: the schedules of a workflow, their state, the next `count` due times,
 * and the registrations of its triggers.
 */
export const previewSchedule: ApiHandler = async ({ id, query, principal }, { schedules }) =>
  dataAnswer(
    previewText(
      await schedules.calls.previewSchedule({ workflowId: id, count: DUE_TIMES.read(query) ?? 0 }, { principal }),
    ),
  );

/** Body that starts a backfill. */
export const BACKFILL_BODY = object(
  {
    from: time({ description: 'Due times of this instant or later.' }),
    to: time({ description: 'Due times before this instant.' }),
    node: text({ description: 'The name of one schedule trigger. Default: all of them.' }),
    concurrency: integer(1, 20, { description: 'Maximum concurrent runs.' }),
    dryRun: flag({ description: 'Counts the due times and starts nothing.' }),
  },
  { required: ['from', 'to'] },
);

/** `data` of the response to a dry run. */
export const BACKFILL_DRY_RUN = record({ dryRun: { type: 'boolean', enum: [true] }, total: COUNT });

const readBackfill = (body: Json | undefined): Omit<StartBackfillRequest, 'workflowId'> => {
  const { from, to, node = '', concurrency = 0, dryRun = false } = readBody(BACKFILL_BODY, body);
  return { from, to, node, concurrency, dryRun };
};

/**
 * POST /workflows/:id/backfill, an addition: runs each due time of a period once, in the background. 201 with the
 * backfill; with `dryRun: true` 200 with only the number of due times.
 */
export const startBackfill: ApiHandler = async ({ id, body, headers, principal }, { schedules }) => {
  const params = readBackfill(body);
  const { backfill } = await schedules.calls.startBackfill(
    { ...params, workflowId: id, ...creationKey(headers) },
    { principal, deadlineMs: 30_000 },
  );
  if (params.dryRun) return dataAnswer(`{"dryRun":true,"total":${backfill?.total ?? 0}}`);
  return dataAnswer(backfillText(backfill), {
    status: 201,
    headers: { location: `/api/v1/workflows/${encodeURIComponent(id)}/backfills` },
  });
};

/** GET /workflows/:id/backfills, an addition: the last backfills of a workflow, newest first. */
export const listBackfills: ApiHandler = async ({ id, principal }, { schedules }) => {
  const { backfills } = await schedules.calls.listBackfills({ workflowId: id }, { principal });
  return dataAnswer(`[${backfills.map(backfillText).join(',')}]`);
};

/**
 * GET /schedules, an addition: one page of the schedules of active workflows, the next due first. `limit` counts
 * workflows, each of which may have several.
 */
export const listSchedules: ApiHandler = (request, { schedules }) =>
  pageAnswer(request, async (page) => {
    const { schedules: found, nextCursor } = await schedules.calls.listSchedules(page, {
      principal: request.principal,
    });
    return { entries: found.map(workflowScheduleText), nextCursor };
  });

/** Filter of the list: a state. */
export const BACKFILL_STATE = choiceParameter('state', BACKFILL_STATES, 'Only backfills in this state.');

/** GET /backfills, an addition: one page of the backfills of all workflows, newest first. */
export const listAllBackfills: ApiHandler = (request, { schedules }) => {
  const state = BACKFILL_STATE.read(request.query);
  return pageAnswer(request, async (page) => {
    const { backfills, nextCursor = '' } = await schedules.calls.listBackfills(
      { workflowId: '', ...page, ...(state === undefined ? {} : { state }) },
      { principal: request.principal },
    );
    return { entries: backfills.map(backfillText), nextCursor };
  });
};

/** POST /backfills/:id/cancel, an addition: cancels a backfill; the runs it started continue. */
export const cancelBackfill: ApiHandler = async ({ id, principal }, { schedules }) =>
  dataAnswer(backfillText((await schedules.calls.cancelBackfill({ backfillId: id }, { principal })).backfill));
