import {
  type Backfill,
  BackfillState,
  type DueTime,
  type PreviewScheduleResponse,
  RegistrationState,
  type Schedule,
  type ScheduleTrouble,
  type TriggerRegistration,
  type WorkflowSchedule,
} from '@weft/proto/schedules';
import { InternalError } from '@weft/service-kit/errors';
import { quote, timeText } from '../../http/json-text';
import {
  BOOLEAN,
  component,
  COUNT,
  described,
  type Fields,
  ID,
  listOf,
  oneOf,
  orNull,
  record,
  TEXT,
  TIME,
} from '../../openapi/schema';

const troubleText = (trouble: ScheduleTrouble | undefined): string => {
  if (trouble === undefined) return 'null';
  const { reason, message, count, since, retryAt } = trouble;
  return (
    `{"reason":${quote(reason)},"message":${quote(message)},"count":${count},` +
    `"since":${timeText(since)},"retryAt":${timeText(retryAt)}}`
  );
};

const scheduleMembers = ({ node, timezone, missed, overlap, nextAt, lastDue, trouble }: Schedule): string =>
  `"node":${quote(node)},"timezone":${quote(timezone)},"missed":${quote(missed)},"overlap":${quote(overlap)},` +
  `"nextAt":${timeText(nextAt)},"lastDue":${timeText(lastDue)},"trouble":${troubleText(trouble)}`;

const scheduleText = (schedule: Schedule): string => `{${scheduleMembers(schedule)}}`;

/** A schedule with its workflow, as JSON text. */
export const workflowScheduleText = ({ workflowId, schedule }: WorkflowSchedule): string => {
  if (schedule === undefined)
    throw new InternalError(new Error('The workflows service answered without the schedule.'));
  return `{"workflowId":${quote(workflowId)},${scheduleMembers(schedule)}}`;
};

const dueText = ({ node, dueAt, localTime }: DueTime): string =>
  `{"node":${quote(node)},"dueAt":${timeText(dueAt)},"localTime":${quote(localTime)}}`;

const TROUBLE = component(
  'ScheduleTrouble',
  record({ reason: TEXT, message: TEXT, count: COUNT, since: orNull(TIME), retryAt: orNull(TIME) }),
);

const SCHEDULE_FIELDS: Fields = {
  node: TEXT,
  timezone: TEXT,
  missed: TEXT,
  overlap: TEXT,
  nextAt: orNull(TIME),
  lastDue: orNull(TIME),
  trouble: orNull(TROUBLE),
};

/** Schema of `workflowScheduleText`. */
export const WORKFLOW_SCHEDULE = component('WorkflowSchedule', record({ workflowId: ID, ...SCHEDULE_FIELDS }));

const REGISTRATION_STATES: ReadonlyMap<RegistrationState, string> = new Map([
  [RegistrationState.REGISTRATION_STATE_REGISTERED, 'registered'],
  [RegistrationState.REGISTRATION_STATE_WAITING, 'waiting'],
  [RegistrationState.REGISTRATION_STATE_FAILED, 'failed'],
  [RegistrationState.REGISTRATION_STATE_MANUAL, 'manual'],
]);

const REGISTRATION = component(
  'TriggerRegistration',
  record({
    node: TEXT,
    url: described('The address that the service calls.', TEXT),
    state: described(
      'Whether the service knows the address. `waiting`: it is about to be registered. `failed`: the last request ' +
        'failed, and is made again at `nextAt`. `manual`: a user enters it in the service.',
      oneOf(...REGISTRATION_STATES.values()),
    ),
    message: described('Why the last request failed; empty if it did not.', TEXT),
    failures: described('Number of consecutive failures.', COUNT),
    nextAt: described('Time of the next attempt or check.', orNull(TIME)),
  }),
);

const registrationText = ({ node, url, state, message, failures, nextAt }: TriggerRegistration): string => {
  const word = REGISTRATION_STATES.get(state);
  if (word === undefined)
    throw new InternalError(new Error(`The workflows service answered with the unknown state ${state}.`));
  return (
    `{"node":${quote(node)},"url":${quote(url)},"state":${quote(word)},"message":${quote(message)},` +
    `"failures":${failures},"nextAt":${timeText(nextAt)}}`
  );
};

/** Schema of `previewText`. */
export const SCHEDULE_PREVIEW = component(
  'SchedulePreview',
  record({
    active: BOOLEAN,
    schedules: listOf(record(SCHEDULE_FIELDS)),
    next: listOf(record({ node: TEXT, dueAt: orNull(TIME), localTime: TEXT })),
    registrations: described(
      'Triggers of apps whose services call an address. Empty while the workflow is inactive.',
      listOf(REGISTRATION),
    ),
  }),
);

/** The schedules of a workflow, their due times, and the registrations of its triggers. */
export const previewText = ({ active, schedules, next, registrations }: PreviewScheduleResponse): string =>
  `{"active":${active},"schedules":[${schedules.map(scheduleText).join(',')}],` +
  `"next":[${next.map(dueText).join(',')}],"registrations":[${registrations.map(registrationText).join(',')}]}`;

const STATES: ReadonlyMap<BackfillState, string> = new Map([
  [BackfillState.BACKFILL_STATE_RUNNING, 'running'],
  [BackfillState.BACKFILL_STATE_DONE, 'done'],
  [BackfillState.BACKFILL_STATE_CANCELLED, 'cancelled'],
  [BackfillState.BACKFILL_STATE_FAILED, 'failed'],
]);

/** States by their names. */
export const BACKFILL_STATES: ReadonlyMap<string, BackfillState> = new Map(
  [...STATES].map(([state, name]) => [name, state]),
);

/** Schema of `backfillText`. */
export const BACKFILL = component(
  'Backfill',
  record({
    id: ID,
    workflowId: ID,
    state: oneOf(...STATES.values()),
    from: orNull(TIME),
    to: orNull(TIME),
    node: orNull(TEXT),
    concurrency: COUNT,
    total: COUNT,
    started: COUNT,
    existing: COUNT,
    refused: COUNT,
    reason: TEXT,
    message: TEXT,
    createdAt: orNull(TIME),
    updatedAt: orNull(TIME),
  }),
);

/** A backfill as JSON text. */
export const backfillText = (backfill: Backfill | undefined): string => {
  const state = backfill === undefined ? undefined : STATES.get(backfill.state);
  if (backfill === undefined || state === undefined)
    throw new InternalError(new Error('The workflows service answered without the backfill.'));
  const {
    id,
    workflowId,
    from,
    to,
    node,
    concurrency,
    total,
    started,
    existing,
    refused,
    reason,
    message,
    createdAt,
    updatedAt,
  } = backfill;
  return (
    `{"id":${quote(id)},"workflowId":${quote(workflowId)},"state":${quote(state)},` +
    `"from":${timeText(from)},"to":${timeText(to)},"node":${node === '' ? 'null' : quote(node)},` +
    `"concurrency":${concurrency},"total":${total},"started":${started},"existing":${existing},"refused":${refused},` +
    `"reason":${quote(reason)},"message":${quote(message)},"createdAt":${timeText(createdAt)},` +
    `"updatedAt":${timeText(updatedAt)}}`
  );
};
