import type { StartBackfillRequest } from '@weft/proto/schedules';
import { type FieldError, InvalidRequest } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { bodyObject, type FieldReader, readFields, readTime, refuseFieldErrors } from '../http/body-fields';
import { dataAnswer } from '../middleware/write-answer';
import type { ApiHandler } from './api-handler';
import { backfillText, previewText } from './schedule-json';

/** Number of requested due times; 0 if the query has none. @throws InvalidRequest */
const countOf = (query: ReadonlyMap<string, string>): number => {
  const text = query.get('count');
  if (text === undefined) return 0;
  const count = Number(text);
  if (!/^\d{1,3}$/.test(text) || count < 1 || count > 100)
    throw new InvalidRequest('count is invalid.', [{ field: 'count', message: 'must be an integer from 1 to 100' }]);
  return count;
};

/**
 * GET /workflows/:id/schedule, an addition: the schedules of a workflow, their state, and the next `count` due times.
 */
export const previewSchedule: ApiHandler = async ({ id, query, principal }, { schedules }) =>
  dataAnswer(
    previewText(await schedules.calls.previewSchedule({ workflowId: id, count: countOf(query) }, { principal })),
  );

const MAX_CONCURRENCY = 20;

/** 0 if the body has none. */
const readConcurrency = (fields: FieldReader, value: Json | undefined): number => {
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_CONCURRENCY) return value;
  fields.error('concurrency', `must be an integer from 1 to ${MAX_CONCURRENCY}.`);
  return 0;
};

const readBody = (body: Json | undefined): Omit<StartBackfillRequest, 'workflowId'> => {
  const errors: FieldError[] = [];
  const object = bodyObject(body);
  const fields = readFields(object, errors);
  fields.allowOnly('from', 'to', 'node', 'concurrency', 'dryRun');
  fields.require('from', 'to');
  const params = {
    from: readTime(fields, 'from'),
    to: readTime(fields, 'to'),
    node: fields.string('node') ?? '',
    concurrency: readConcurrency(fields, object['concurrency']),
    dryRun: fields.boolean('dryRun') ?? false,
  };
  refuseFieldErrors(errors);
  return params;
};

/**
 * POST /workflows/:id/backfill, an addition: runs each due time of a period once, in the background. 201 with the
 * backfill; with `dryRun: true` 200 with the number of due times alone.
 */
export const startBackfill: ApiHandler = async ({ id, body, principal }, { schedules }) => {
  const params = readBody(body);
  const { backfill } = await schedules.calls.startBackfill(
    { ...params, workflowId: id },
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

/** POST /backfills/:id/cancel, an addition: ends a backfill; the runs that it started continue. */
export const cancelBackfill: ApiHandler = async ({ id, principal }, { schedules }) =>
  dataAnswer(backfillText((await schedules.calls.cancelBackfill({ backfillId: id }, { principal })).backfill));
