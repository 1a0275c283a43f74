import { isRetryable, type ServiceError } from '@weft/service-kit/errors';
import type { ScheduleEntry, ScheduleTrouble } from '../workflows/workflow';
import { nextDue } from './next-due';
import { OVERLAPS, type PlannedStarts } from './plan-starts';

/** Outcome of a due time. */
export interface StartOutcome {
  readonly due: Date;
  /** Undefined: it was started. */
  readonly error: ServiceError | undefined;
}

type Disposition = 'started' | 'skipped' | 'retried' | 'given up';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const dispositionOf = ({ overlap }: ScheduleEntry, error: ServiceError | undefined): Disposition => {
  if (error === undefined) return 'started';
  // An earlier attempt succeeded, with the version at that time.
  if (error.reason === 'IDEMPOTENCY_KEY_REUSED') return 'started';
  if (error.reason === OVERLAPS) return overlap === 'buffer-one' ? 'retried' : 'skipped';
  return isRetryable(error.kind) ? 'retried' : 'given up';
};

const doubling = (count: number, max: number): number => Math.min(max, SECOND * 2 ** Math.min(count, 20));

/** Milliseconds to the retry of a due time. Random, so that starts refused together are not retried together. */
const retryDelay = (error: ServiceError, due: Date, count: number, now: Date, random: () => number): number => {
  // A run waiting for the previous one polls more often at first.
  if (error.reason === OVERLAPS) return Math.min(30 * SECOND, Math.max(SECOND, (now.getTime() - due.getTime()) / 10));
  const delay = doubling(count - 1, error.kind === 'internal' ? 10 * MINUTE : MINUTE) * (0.5 + random() / 2);
  return Math.max(delay, (error.retryAfterSeconds ?? 0) * SECOND * (1 + random() / 2));
};

/** Milliseconds for which a repeatedly refused schedule pauses. */
const pauseOf = (count: number): number => (count <= 1 ? 0 : doubling(count, 60 * MINUTE));

const troubleOf = ({ trouble }: ScheduleEntry, { reason, message }: ServiceError, now: Date): ScheduleTrouble => {
  const isSame = trouble?.reason === reason;
  return {
    reason,
    message: message.slice(0, 1_000),
    count: isSame ? trouble.count + 1 : 1,
    since: isSame ? trouble.since : now,
  };
};

/** The schedule at another time, with or without an error. */
const scheduleAt = (
  { node, index, rule, timezone, item, missed, overlap }: ScheduleEntry,
  nextAt: Date | undefined,
  lastDue: Date | undefined,
  trouble: ScheduleTrouble | undefined,
): ScheduleEntry => ({
  node,
  index,
  rule,
  item,
  missed,
  overlap,
  ...(timezone === undefined ? {} : { timezone }),
  ...(nextAt === undefined ? {} : { nextAt }),
  ...(lastDue === undefined ? {} : { lastDue }),
  ...(trouble === undefined ? {} : { trouble }),
});

export interface AdvanceContext {
  readonly now: Date;
  readonly zone: string;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Advances a schedule after starting its due times. A due time that failed transiently stays and is retried at growing
 * intervals; a permanently refused one is given up, and the schedule pauses for growing intervals.
 */
export const advanceSchedule = (
  schedule: ScheduleEntry,
  { starts, nextAt }: PlannedStarts,
  outcomes: readonly StartOutcome[],
  { now, zone, random }: AdvanceContext,
): ScheduleEntry => {
  const open = outcomes.find(({ error }) => dispositionOf(schedule, error) === 'retried');
  const lastCompleted = outcomes.filter(({ due }) => open === undefined || due < open.due).at(-1)?.due;
  if (open?.error !== undefined) {
    const trouble = troubleOf(schedule, open.error, now);
    const retryAt = new Date(now.getTime() + retryDelay(open.error, open.due, trouble.count, now, random));
    return scheduleAt(schedule, open.due, lastCompleted ?? schedule.lastDue, { ...trouble, retryAt });
  }
  const refused = outcomes.find(({ error }) => dispositionOf(schedule, error) === 'given up');
  const lastDue = starts.at(-1) ?? schedule.lastDue;
  if (refused?.error === undefined) return scheduleAt(schedule, nextAt, lastDue, undefined);
  const trouble = troubleOf(schedule, refused.error, now);
  const pauseMs = pauseOf(trouble.count);
  return scheduleAt(
    schedule,
    pauseMs === 0 ? nextAt : nextDue(schedule.rule, zone, new Date(now.getTime() + pauseMs), lastDue),
    lastDue,
    trouble,
  );
};
