import type { StartBackfillRequest } from '@weft/proto/schedules';
import type { FieldError } from '@weft/service-kit/errors';
import type { Json } from '@weft/service-kit/json';
import { bodyObject, type FieldReader, readFields, refuseFieldErrors } from '../../http/body-fields';
import { readTime } from '../../http/read-time';
import { dataAnswer } from '../../middleware/write-answer';
import type { ApiHandler } from '../api-handler';
import { backfillText } from './schedule-json';

const MAX_CONCURRENCY = 20;

/** 0 if the body does not say. */
const readConcurrency = (fields: FieldReader, value: Json | undefined): number => {
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_CONCURRENCY) return value;
  fields.fault('concurrency', `must be an integer from 1 to ${MAX_CONCURRENCY}.`);
  return 0;
};

const readBody = (body: Json | undefined): Omit<StartBackfillRequest, 'workflowId'> => {
  const faults: FieldError[] = [];
  const object = bodyObject(body);
  const fields = readFields(object, faults);
  fields.allowOnly('from', 'to', 'node', 'concurrency', 'dryRun');
  fields.require('from', 'to');
  const params = {
    from: readTime(fields, 'from'),
    to: readTime(fields, 'to'),
    node: fields.string('node') ?? '',
    concurrency: readConcurrency(fields, object['concurrency']),
    dryRun: fields.boolean('dryRun') ?? false,
  };
  refuseFieldErrors(faults);
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
