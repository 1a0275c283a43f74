import { Forbidden } from '@weft/service-kit/errors';
import { RELEASE } from '@weft/service-kit/lifecycle';
import { mayDo } from '@weft/service-kit/auth';
import { quote, timeText } from '../../http/json-text';
import { dataAnswer } from '../../middleware/responses/write-answer';
import {
  BOOLEAN,
  component,
  COUNT,
  described,
  listOf,
  orNull,
  record,
  type Schema,
  TEXT,
  TIME,
} from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';

const SERVICE_STATUS = component(
  'ServiceStatus',
  record({
    name: TEXT,
    reachable: BOOLEAN,
    release: described('Null: the service does not respond, or does not report its release.', orNull(TEXT)),
  }),
);

const COUNTS: Schema = component(
  'ExecutionCounts',
  record({
    queued: COUNT,
    running: COUNT,
    waiting: COUNT,
    oldestQueuedAt: described(
      'Time at which the oldest execution that no runner has claimed yet was accepted.',
      orNull(TIME),
    ),
    failedLastHour: described('Failed executions that were accepted in the last hour.', COUNT),
  }),
);

/** Schema of the response to GET /status. */
export const INSTANCE_STATUS: Schema = component(
  'InstanceStatus',
  record({
    release: described('Release of the gateway.', TEXT),
    services: listOf(SERVICE_STATUS),
    executions: described('Counts end at 1,000. Null: the executions service does not respond.', orNull(COUNTS)),
  }),
);

/** GET /status, an addition: whether the services respond, and how many executions there are; for owners and admins. */
export const getStatus: ApiHandler = async ({ principal }, { executions, peersStatus }) => {
  if (!mayDo(principal, 'audit:read')) throw new Forbidden('Only an owner or admin may read the status.');
  const [services, counts] = await Promise.all([
    peersStatus.read(),
    executions.calls.getExecutionCounts({}, { principal }).catch(() => undefined),
  ]);
  const rows = services.map(
    ({ name, reachable, release }) =>
      `{"name":${quote(name)},"reachable":${reachable},"release":${release === '' ? 'null' : quote(release)}}`,
  );
  const counted =
    counts === undefined
      ? 'null'
      : `{"queued":${counts.queued},"running":${counts.running},"waiting":${counts.waiting},` +
        `"oldestQueuedAt":${timeText(counts.oldestQueuedAt)},"failedLastHour":${counts.failedLastHour}}`;
  return dataAnswer(`{"release":${quote(RELEASE)},"services":[${rows.join(',')}],"executions":${counted}}`);
};
