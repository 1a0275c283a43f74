import {
  BackfillState as StateMessage,
  RegistrationState as RegistrationMessage,
  type Backfill as BackfillMessage,
  type Schedule as ScheduleMessage,
  type ScheduleServiceService,
} from '@weft/proto/schedules';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { scopedTo } from '@weft/service-kit/visibility';
import type { Within } from '../compose';
import type { Backfill, BackfillState } from '../domain/backfills/backfill';
import type { RegistrationState } from '../domain/hooks/list-registrations';
import { localTime } from '../domain/schedule/zone';
import type { ScheduleEntry } from '../domain/workflows/workflow';
import { userOf } from './access';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 100;

const STATES: Readonly<Record<BackfillState, StateMessage>> = {
  running: StateMessage.BACKFILL_STATE_RUNNING,
  done: StateMessage.BACKFILL_STATE_DONE,
  cancelled: StateMessage.BACKFILL_STATE_CANCELLED,
  failed: StateMessage.BACKFILL_STATE_FAILED,
};

/** Undefined for all states. @throws InvalidRequest for an unknown one */
const stateOf = (message: StateMessage | undefined): BackfillState | undefined => {
  if (message === undefined || message === StateMessage.BACKFILL_STATE_UNSPECIFIED) return undefined;
  for (const [state, known] of Object.entries(STATES)) if (known === message && isState(state)) return state;
  throw new InvalidRequest('The request has an unknown value.', [
    { field: 'state', message: 'is not a value of this enum.' },
  ]);
};

const isState = (name: string): name is BackfillState => Object.hasOwn(STATES, name);

/** Converts a backfill. */
export const toBackfillMessage = (backfill: Backfill): BackfillMessage => {
  const {
    id,
    workflowId,
    from,
    to,
    node = '',
    concurrency,
    state,
    total,
    started,
    existing,
    refused,
    reason = '',
    message = '',
    createdAt,
    updatedAt,
  } = backfill;
  return {
    id,
    workflowId,
    from,
    to,
    node,
    concurrency,
    state: STATES[state],
    total,
    started,
    existing,
    refused,
    reason,
    message,
    createdAt,
    updatedAt,
  };
};

const toScheduleMessage = (
  { node, index, timezone, missed, overlap, nextAt, lastDue, trouble }: ScheduleEntry,
  defaultTimezone: string,
): ScheduleMessage => ({
  node,
  index,
  timezone: timezone ?? defaultTimezone,
  missed,
  overlap,
  nextAt,
  lastDue,
  trouble:
    trouble === undefined
      ? undefined
      : {
          reason: trouble.reason,
          message: trouble.message,
          count: trouble.count,
          since: trouble.since,
          retryAt: trouble.retryAt,
        },
});

const REGISTRATIONS: Readonly<Record<RegistrationState, RegistrationMessage>> = {
  registered: RegistrationMessage.REGISTRATION_STATE_REGISTERED,
  waiting: RegistrationMessage.REGISTRATION_STATE_WAITING,
  failed: RegistrationMessage.REGISTRATION_STATE_FAILED,
  manual: RegistrationMessage.REGISTRATION_STATE_MANUAL,
};

/** ScheduleService over gRPC. */
export const scheduleHandlers = (
  useCases: Within & { readonly defaultTimezone: string },
): Handlers<typeof ScheduleServiceService> => ({
  previewSchedule: async ({ workflowId, count }, context) => {
    if (count > MAX_COUNT)
      throw new InvalidRequest('count is not valid.', [
        { field: 'count', message: `Use a whole number from 1 to ${MAX_COUNT}.` },
      ]);
    const { previewSchedule } = await scopedTo(useCases, context);
    const preview = await previewSchedule(workflowId, count === 0 ? DEFAULT_COUNT : count);
    const { active, schedules, next, registrations } = preview;
    return {
      active,
      schedules: schedules.map((schedule) => toScheduleMessage(schedule, useCases.defaultTimezone)),
      next: next.map(({ due, schedule, zone }) => ({
        node: schedule.node,
        dueAt: due,
        localTime: localTime(due, zone),
      })),
      registrations: registrations.map(({ state, ...registration }) => ({
        ...registration,
        state: REGISTRATIONS[state],
      })),
    };
  },
  startBackfill: async (params, context) => ({
    backfill: toBackfillMessage(
      await (await scopedTo(useCases, context)).startBackfill({ ...params, id: context.createdId }, userOf(context)),
    ),
  }),
  listSchedules: async ({ limit, cursor }, context) => {
    const { listSchedules } = await scopedTo(useCases, context);
    const { items, nextCursor } = await listSchedules({ limit, cursor });
    return {
      schedules: items.flatMap(({ workflowId, schedules }) =>
        schedules.map((schedule) => ({
          workflowId,
          schedule: toScheduleMessage(schedule, useCases.defaultTimezone),
        })),
      ),
      nextCursor,
    };
  },
  listBackfills: async ({ workflowId, state, limit, cursor }, context) => {
    const { listBackfills, pageBackfills } = await scopedTo(useCases, context);
    if (workflowId !== '') return { backfills: (await listBackfills(workflowId)).map(toBackfillMessage) };
    const { items, nextCursor } = await pageBackfills(stateOf(state), { limit: limit ?? 0, cursor: cursor ?? '' });
    return { backfills: items.map(toBackfillMessage), ...(nextCursor === '' ? {} : { nextCursor }) };
  },
  cancelBackfill: async ({ backfillId }, context) => ({
    backfill: toBackfillMessage(await (await scopedTo(useCases, context)).cancelBackfill(backfillId, userOf(context))),
  }),
});
