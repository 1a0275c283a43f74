import type { ServiceError } from '@weft/service-kit/errors';
import { scheduledInput } from './clock-item';
import type { DuePlace, DueWorkflow, ScheduleMove, ScheduleStore } from './ports';
import { checkAtOf } from './schedule/check-at';
import { planStarts, type PlannedStarts } from './schedule/plan-starts';
import { settleSchedule } from './schedule/settle-schedule';
import type { ScheduleEntry } from './workflow';

/** A start that a schedule asks for; the same due time always asks for the same start. */
export interface ScheduledStart {
  readonly workflowId: string;
  readonly versionId: string;
  readonly ownerId: string;
  readonly node: string;
  readonly due: Date;
  /** JSON array of items. */
  readonly input: string;
  /** No other run of the workflow that has not ended may have it; undefined: it may run beside any. */
  readonly exclusiveKey?: string;
}

/** What became of a start. */
export interface ScheduledOutcome {
  /** Undefined: it is started. */
  readonly error?: ServiceError;
  /** It was started before. */
  readonly existing?: boolean;
}

/** Starts executions, at most MAX_STARTS; for each, in order, what became of it. Rejects if nothing is known. */
export type StartScheduled = (starts: readonly ScheduledStart[]) => Promise<readonly ScheduledOutcome[]>;

/** Most starts of one call. */
export const MAX_STARTS = 500;

/** What firing needs. */
export interface FireSchedulesPorts {
  readonly schedules: ScheduleStore;
  readonly start: StartScheduled;
  /** What this replica is to look after, out of what is due. */
  readonly takeMine: (due: readonly DueWorkflow[]) => readonly DueWorkflow[];
  readonly defaultTimezone: string;
  /** Told of a due time that was not started, if it is worth a line: the first time, and ever less often. */
  readonly onTrouble: (workflowId: string, schedule: ScheduleEntry) => void;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** What is left after a turn. */
export interface Fired {
  /** There is more to fire now. */
  readonly hasMore: boolean;
  /** The first due time that was seen ahead; undefined: none within the horizon. */
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

/** The key by which runs of one node that its schedules started exclude each other. */
const exclusiveKeyOf = ({ node, overlap }: ScheduleEntry): { exclusiveKey?: string } =>
  overlap === 'allow' ? {} : { exclusiveKey: `schedule:${node}` };

/** Several rules of one node that are due together ask for one start. */
const keyOf = (workflowId: string, node: string, due: Date): string => `${workflowId} ${due.getTime()} ${node}`;

const isWorthALine = (count: number): boolean => Number.isInteger(Math.log10(count));

/**
 * Starts what is due and moves each schedule on to its next due time. A start that fails in passing leaves its schedule
 * where it is and is tried again under the same key, so a due time is started once, however many replicas and turns
 * try.
 */
export const createFireSchedules = (ports: FireSchedulesPorts) => {
  const { schedules, start, takeMine, defaultTimezone, onTrouble, random } = ports;
  let after: DuePlace | undefined;

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
          input: scheduledInput(schedule, time, zone),
          ...exclusiveKeyOf(schedule),
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

  const settle = (
    { workflow, schedule, zone, plan }: DueSchedule,
    outcomes: ReadonlyMap<string, ScheduledOutcome>,
    now: Date,
  ): ScheduleEntry => {
    const results = plan.starts.map((due) => ({
      due,
      error: outcomes.get(keyOf(workflow.workflowId, schedule.node, due))?.error,
    }));
    const settled = settleSchedule(schedule, plan, results, { now, zone, random });
    if (
      settled.trouble !== undefined &&
      settled.trouble.reason !== 'EXECUTION_OVERLAPS' &&
      isWorthALine(settled.trouble.count)
    )
      onTrouble(workflow.workflowId, settled);
    return settled;
  };

  const firePage = async (found: readonly DueWorkflow[], now: Date): Promise<void> => {
    const due = found.flatMap((workflow) => planOf(workflow, now));
    const outcomes = due.length === 0 ? new Map<string, ScheduledOutcome>() : await startAll(due);
    const settled = new Map(due.map((one) => [one.schedule, settle(one, outcomes, now)]));
    const moves: ScheduleMove[] = found.map((seen) => ({
      seen,
      schedules: seen.schedules.map((schedule) => settled.get(schedule) ?? schedule),
    }));
    if (moves.length > 0) await schedules.moveOn(moves);
  };

  /** One turn. @param horizonMs how far ahead due times are looked for. */
  return async (now: Date, horizonMs: number): Promise<Fired> => {
    const until = new Date(now.getTime() + horizonMs);
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const found = await schedules.findDue(until, after, PAGE);
      const last = found.at(-1);
      // The place is kept over turns, so that what others look after, or what fails, does not hold up what stands
      // behind it.
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

/** One turn of firing. */
export type FireSchedules = ReturnType<typeof createFireSchedules>;
