import {
  BackfillState,
  RegistrationState,
  ScheduleServiceService,
  type Backfill,
  type Schedule,
  type TriggerRegistration,
} from '@weft/proto/schedules';
import { ServiceError } from '@weft/service-kit/errors';
import { bindService, type Handlers } from '@weft/service-kit/grpc';
import { createFake } from './fake';

const read = { users: 'workflows:read' as const };
const write = { users: 'workflows:write' as const };
const access = {
  previewSchedule: read,
  listSchedules: read,
  startBackfill: write,
  listBackfills: read,
  cancelBackfill: write,
};

const MADE = new Date('2026-03-11T00:00:00.000Z');

/** A running backfill. */
export const backfillOf = (id: string, over: Partial<Backfill> = {}): Backfill => ({
  id,
  workflowId: 'w1',
  from: new Date('2026-03-10T00:00:00.000Z'),
  to: new Date('2026-03-10T09:00:00.000Z'),
  node: '',
  concurrency: 5,
  state: BackfillState.BACKFILL_STATE_RUNNING,
  total: 10,
  started: 0,
  existing: 0,
  refused: 0,
  reason: '',
  message: '',
  createdAt: MADE,
  updatedAt: MADE,
  ...over,
});

const SCHEDULE: Schedule = {
  node: 'Clock',
  index: 0,
  timezone: 'Europe/Berlin',
  missed: 'coalesce',
  overlap: 'skip',
  nextAt: MADE,
  lastDue: undefined,
  trouble: { reason: 'SERVICE_UNAVAILABLE', message: 'full', count: 3, since: MADE, retryAt: MADE },
};

const REGISTRATIONS: TriggerRegistration[] = [
  RegistrationState.REGISTRATION_STATE_REGISTERED,
  RegistrationState.REGISTRATION_STATE_WAITING,
  RegistrationState.REGISTRATION_STATE_FAILED,
  RegistrationState.REGISTRATION_STATE_MANUAL,
].map((state) => {
  const isFailed = state === RegistrationState.REGISTRATION_STATE_FAILED;
  return {
    node: 'Bot',
    url: 'https://weft.example/webhook/w/webhook',
    state,
    message: isFailed ? 'Unauthorized' : '',
    failures: isFailed ? 2 : 0,
    nextAt: state === RegistrationState.REGISTRATION_STATE_MANUAL ? undefined : MADE,
  };
});

/** Schedules of the workflows service, in memory, with the workflow w1. */
export const fakeSchedules = () => {
  const fake = createFake();
  const stored = new Map<string, Backfill>();
  const check = (workflowId: string): void => {
    if (workflowId !== 'w1')
      throw new ServiceError({
        reason: 'WORKFLOW_NOT_FOUND',
        kind: 'not-found',
        message: `No workflow has the id ${workflowId}.`,
        details: { workflowId },
      });
  };
  const handlers: Handlers<typeof ScheduleServiceService> = {
    previewSchedule: (request, context) =>
      fake.act('previewSchedule', request, context, () => {
        check(request.workflowId);
        return {
          active: true,
          schedules: [SCHEDULE],
          next: [{ node: 'Clock', dueAt: MADE, localTime: '2026-03-11T01:00:00.000+01:00' }],
          registrations: REGISTRATIONS,
        };
      }),
    startBackfill: (request, context) =>
      fake.act('startBackfill', request, context, () => {
        check(request.workflowId);
        const { from, to, node, dryRun } = request;
        const backfill = backfillOf(dryRun ? '' : `b${stored.size + 1}`, {
          from,
          to,
          node,
          concurrency: request.concurrency === 0 ? 5 : request.concurrency,
        });
        if (!dryRun) stored.set(backfill.id, backfill);
        return { backfill };
      }),
    listBackfills: (request, context) =>
      fake.act('listBackfills', request, context, () => {
        if (request.workflowId !== '') check(request.workflowId);
        return { backfills: [...stored.values()], ...(request.workflowId === '' ? { nextCursor: 'more' } : {}) };
      }),
    listSchedules: (request, context) =>
      fake.act('listSchedules', request, context, () => ({
        schedules: [{ workflowId: 'w1', schedule: SCHEDULE }],
        nextCursor: request.cursor === '' ? 'more' : '',
      })),
    cancelBackfill: (request, context) =>
      fake.act('cancelBackfill', request, context, () => {
        const found = stored.get(request.backfillId);
        if (found === undefined)
          throw new ServiceError({
            reason: 'BACKFILL_NOT_FOUND',
            kind: 'not-found',
            message: 'No such backfill.',
            details: { backfillId: request.backfillId },
          });
        return { backfill: { ...found, state: BackfillState.BACKFILL_STATE_CANCELLED } };
      }),
  };
  return { ...fake, stored, bound: bindService(ScheduleServiceService, handlers, access) };
};
