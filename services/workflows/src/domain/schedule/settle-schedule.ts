import { isPassing, type ServiceError } from '@weft/service-kit/errors';
import type { ScheduleEntry, ScheduleTrouble } from '../workflow';
import { nextDue } from './next-due';
import { OVERLAPS, type PlannedStarts } from './plan-starts';

/** What became of a due time. */
export interface StartOutcome {
  readonly due: Date;
  /** Undefined: it is started. */
  readonly error: ServiceError | undefined;
}

type Settlement = 'started' | 'passed over' | 'tried again' | 'given up';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const settlementOf = ({ overlap }: ScheduleEntry, error: ServiceError | undefined): Settlement => {
  if (error === undefined) return 'started';
  // An earlier try came through, with the version of that time.
  if (error.reason === 'IDEMPOTENCY_KEY_REUSED') return 'started';
  if (error.reason === OVERLAPS) return overlap === 'buffer-one' ? 'tried again' : 'passed over';
  return isPassing(error.kind) ? 'tried again' : 'given up';
};

const doubling = (count: number, most: number): number => Math.min(most, SECOND * 2 ** Math.min(count, 20));

/**
 * Milliseconds to the next try of a due time. Random, so that what was refused together does not come back together.
 */
const retryDelay = (error: ServiceError, due: Date, count: number, now: Date, random: () => number): number => {
  // A run that waits for the one before it looks the more often, the shorter it has waited.
  if (error.reason === OVERLAPS) return Math.min(30 * SECOND, Math.max(SECOND, (now.getTime() - due.getTime()) / 10));
  const delay = doubling(count - 1, error.kind === 'internal' ? 10 * MINUTE : MINUTE) * (0.5 + random() / 2);
  return Math.max(delay, (error.retryAfterSeconds ?? 0) * SECOND * (1 + random() / 2));
};

/** Milliseconds for which a schedule rests that is refused for good again and again. */
const restOf = (count: number): number => (count <= 1 ? 0 : doubling(count, 60 * MINUTE));

const troubleOf = ({ trouble }: ScheduleEntry, { reason, message }: ServiceError, now: Date): ScheduleTrouble => {
  const isSame = trouble?.reason === reason;
  return {
    reason,
    message: message.slice(0, 1_000),
    count: isSame ? trouble.count + 1 : 1,
    since: isSame ? trouble.since : now,
  };
};

/** The schedule, standing at another time, with or without trouble. */
const standing = (
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

/** What a schedule that was due looks like afterwards. */
export interface SettleContext {
  readonly now: Date;
  readonly zone: string;
  /** From 0 to 1. */
  readonly random: () => number;
}

/**
 * Works out where a schedule stands after its due times were asked for. A due time that could not be started now stays
 * and is tried again, ever later; one that is refused for good is given up, and the schedule rests ever longer.
 */
export const settleSchedule = (
  schedule: ScheduleEntry,
  { starts, nextAt }: PlannedStarts,
  outcomes: readonly StartOutcome[],
  { now, zone, random }: SettleContext,
): ScheduleEntry => {
  const open = outcomes.find(({ error }) => settlementOf(schedule, error) === 'tried again');
  const lastSettled = outcomes.filter(({ due }) => open === undefined || due < open.due).at(-1)?.due;
  if (open?.error !== undefined) {
    const trouble = troubleOf(schedule, open.error, now);
    const retryAt = new Date(now.getTime() + retryDelay(open.error, open.due, trouble.count, now, random));
    return standing(schedule, open.due, lastSettled ?? schedule.lastDue, { ...trouble, retryAt });
  }
  const refused = outcomes.find(({ error }) => settlementOf(schedule, error) === 'given up');
  const lastDue = starts.at(-1) ?? schedule.lastDue;
  if (refused?.error === undefined) return standing(schedule, nextAt, lastDue, undefined);
  const trouble = troubleOf(schedule, refused.error, now);
  const rest = restOf(trouble.count);
  return standing(
    schedule,
    rest === 0 ? nextAt : nextDue(schedule.rule, zone, new Date(now.getTime() + rest), lastDue),
    lastDue,
    trouble,
  );
};
