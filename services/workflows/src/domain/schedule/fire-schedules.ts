import type { ServiceError } from '@weft/service-kit/errors';
import { advanceSchedule } from './advance-schedule';
import type { DuePosition, DueWorkflow, ScheduleMove, ScheduleStore } from '../ports';
import { checkAtOf } from './due-times';
import { planStarts, type PlannedStarts } from './plan-starts';
import { schedulePayload } from './schedule-payload';
import type { ScheduleEntry } from '../workflows/workflow';

/** The start of a due time. It can be repeated without starting it twice. */
export interface ScheduledStart {
  readonly workflowId: string;
  readonly versionId: string;
  readonly ownerId: string;
  readonly node: string;
  readonly due: Date;
  /** JSON array of items. */
  readonly input: string;
  /** Mutex key: at most one unfinished run of the workflow may have it; undefined: no limit. */
  readonly mutexKey?: string;
}

/** Outcome of a start. */
export interface ScheduledOutcome {
  /** Undefined: it was started. */
  readonly error?: ServiceError;
  /** True if it was started before. */
  readonly existing?: boolean;
}

/** Starts at most MAX_STARTS executions. @returns the outcome of each, in order @throws if no outcome is known */
export type StartScheduled = (starts: readonly ScheduledStart[]) => Promise<readonly ScheduledOutcome[]>;

/** Maximum starts per call. */
export const MAX_STARTS = 500;

export interface FireSchedulesDeps {
  readonly schedules: ScheduleStore;
  readonly start: StartScheduled;
  /** Selects this replica's share of the due workflows. */
  readonly takeMine: (due: readonly DueWorkflow[]) => readonly DueWorkflow[];
  readonly defaultTimezone: string;
  /** Called with a schedule whose due time could not be started: at the 1st, 10th, 100th failure and so on. */
  readonly onTrouble: (workflowId: string, schedule: ScheduleEntry) => void;
  /** From 0 to 1. */
  readonly random: () => number;
}

export interface Fired {
  /** True if more schedules are due now. */
  readonly hasMore: boolean;
  /** The next due time within the horizon; undefined: none. */
  readonly nextAt: Date | undefined;
}

const PAGE = 500;
const MAX_PAGES = 10;

interface DueSchedule {
  readonly workflow: DueWorkflow;
  readonly schedule: ScheduleEntry;
  readonly zone: string;
  readonly plan: PlannedStarts;
}

/** The mutex key of the scheduled runs of one node. */
const mutexKeyOf = ({ node, overlap }: ScheduleEntry): { mutexKey?: string } =>
  overlap === 'allow' ? {} : { mutexKey: `schedule:${node}` };

/** Several rules of one node due at the same time make one start. */
const keyOf = (workflowId: string, node: string, due: Date): string => `${workflowId} ${due.getTime()} ${node}`;

const isLogged = (count: number): boolean => Number.isInteger(Math.log10(count));

/**
 * Starts due schedules and moves each to its next due time. If a start fails transiently, its schedule stays and is
 * retried under the same key, so a due time is started once, however many replicas and ticks try.
 */
export const createFireSchedules = (deps: FireSchedulesDeps) => {
  const { schedules, start, takeMine, defaultTimezone, onTrouble, random } = deps;
  let after: DuePosition | undefined;

  const planOf = (workflow: DueWorkflow, now: Date): DueSchedule[] =>
    workflow.schedules.flatMap((schedule) => {
      const checkAt = checkAtOf(schedule);
      if (schedule.nextAt === undefined || checkAt === undefined || checkAt > now) return [];
      const zone = schedule.timezone ?? defaultTimezone;
      return [{ workflow, schedule, zone, plan: planStarts(schedule, schedule.nextAt, now, zone) }];
    });

  const startAll = async (due: readonly DueSchedule[]): Promise<Map<string, ScheduledOutcome>> => {
    const starts = new Map<string, ScheduledStart>();
    for (const {
      workflow: { workflowId, versionId, ownerId },
      schedule,
      zone,
      plan,
    } of due) {
      for (const time of plan.starts) {
        starts.set(keyOf(workflowId, schedule.node, time), {
          workflowId,
          versionId,
          ownerId,
          node: schedule.node,
          due: time,
          input: schedulePayload(schedule, time, zone),
          ...mutexKeyOf(schedule),
        });
      }
    }
    const outcomes = new Map<string, ScheduledOutcome>();
    const keys = [...starts.keys()];
    for (let from = 0; from < keys.length; from += MAX_STARTS) {
      const batch = keys.slice(from, from + MAX_STARTS);
      const answers = await start(batch.flatMap((key) => starts.get(key) ?? []));
      batch.forEach((key, index) => outcomes.set(key, answers[index] ?? {}));
    }
    return outcomes;
  };

  const advance = (
    { workflow, schedule, zone, plan }: DueSchedule,
    outcomes: ReadonlyMap<string, ScheduledOutcome>,
    now: Date,
  ): ScheduleEntry => {
    const results = plan.starts.map((due) => ({
      due,
      error: outcomes.get(keyOf(workflow.workflowId, schedule.node, due))?.error,
    }));
    const advanced = advanceSchedule(schedule, plan, results, { now, zone, random });
    if (
      advanced.trouble !== undefined &&
      advanced.trouble.reason !== 'EXECUTION_OVERLAPS' &&
      isLogged(advanced.trouble.count)
    )
      onTrouble(workflow.workflowId, advanced);
    return advanced;
  };

  const firePage = async (found: readonly DueWorkflow[], now: Date): Promise<void> => {
    const due = found.flatMap((workflow) => planOf(workflow, now));
    const outcomes = due.length === 0 ? new Map<string, ScheduledOutcome>() : await startAll(due);
    const advanced = new Map(due.map((one) => [one.schedule, advance(one, outcomes, now)]));
    const moves: ScheduleMove[] = found.map((seen) => ({
      seen,
      schedules: seen.schedules.map((schedule) => advanced.get(schedule) ?? schedule),
    }));
    if (moves.length > 0) await schedules.moveOn(moves);
  };

  /** One tick. @param horizonMs how far ahead due times are read */
  return async function fireSchedules(now: Date, horizonMs: number): Promise<Fired> {
    const until = new Date(now.getTime() + horizonMs);
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const found = await schedules.findDue(until, after, PAGE);
      const last = found.at(-1);
      // The position persists across ticks, so that schedules that belong to other replicas or fail do not delay those
      // after them.
      after =
        found.length < PAGE || last === undefined || last.checkAt > now
          ? undefined
          : { checkAt: last.checkAt, workflowId: last.workflowId };
      await firePage(takeMine(found.filter(({ checkAt }) => checkAt <= now)), now);
      if (after === undefined) return { hasMore: false, nextAt: found.find(({ checkAt }) => checkAt > now)?.checkAt };
    }
    return { hasMore: true, nextAt: undefined };
  };
};

export type FireSchedules = ReturnType<typeof createFireSchedules>;
