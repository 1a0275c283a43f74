import type { Principal } from '@weft/service-kit/auth';
import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { requireEditable } from '../require-editable';
import { WorkflowNotFound } from '../errors';
import type { WorkflowStore } from '../ports';
import { currentSchedules, type SchedulePorts } from '../preview-schedule';
import { dueTimesWithin } from '../schedule/due-times';
import type { ScheduleEntry } from '../workflow';
import { MAX_CONCURRENCY, MAX_DUE_TIMES, MAX_RUNNING, type Backfill, type BackfillStore } from './backfill';
import { BackfillNotFound, TooManyBackfills } from './errors';

/** What a backfill asks for. */
export interface BackfillParams {
  readonly workflowId: string;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Empty: all nodes. */
  readonly node: string;
  /** 0: as usual. */
  readonly concurrency: number;
  readonly dryRun: boolean;
}

/** What users do with backfills. */
export interface ManageBackfills {
  /** @throws WorkflowNotFound, NotYourWorkflow, InvalidRequest, TooManyBackfills */
  readonly start: (params: BackfillParams, user: Principal) => Promise<Backfill>;
  /** @throws WorkflowNotFound */
  readonly list: (workflowId: string) => Promise<Backfill[]>;
  /** @throws BackfillNotFound, NotYourWorkflow */
  readonly cancel: (id: string, user: Principal) => Promise<Backfill>;
}

/** What they need. */
export interface ManageBackfillsPorts extends Omit<SchedulePorts, 'workflows'> {
  readonly backfills: BackfillStore;
  readonly workflows: Pick<WorkflowStore, 'find'>;
  /** A backfill was stored: it may begin. */
  readonly onStarted: () => void;
}

const CONCURRENCY = 5;
const MAX_LISTED = 50;

/** Due times that are worked out before others get their turn. */
const STRETCH = 50;

const checkPeriod = (
  { from, to, concurrency }: BackfillParams,
  now: Date,
): { readonly from: Date; readonly to: Date } => {
  const faults: FieldError[] = [];
  const isTime = (time: Date | undefined): time is Date => time !== undefined && !Number.isNaN(time.getTime());
  if (!isTime(from))
    faults.push({
      field: 'from',
      message: 'Give the first instant of the period, for example 2026-03-01T00:00:00Z.',
    });
  if (!isTime(to)) faults.push({ field: 'to', message: 'Give the last instant of the period.' });
  else if (to > now)
    faults.push({ field: 'to', message: 'It lies in the future: the schedule itself starts what is due then.' });
  if (isTime(from) && isTime(to) && from > to) faults.push({ field: 'from', message: 'It lies behind "to".' });
  if (concurrency > MAX_CONCURRENCY)
    faults.push({ field: 'concurrency', message: `Use a whole number from 1 to ${MAX_CONCURRENCY}.` });
  if (faults.length > 0 || from === undefined || to === undefined)
    throw new InvalidRequest('The backfill is not valid.', faults);
  return { from, to };
};

const schedulesFor = (all: readonly ScheduleEntry[], node: string): readonly ScheduleEntry[] => {
  const found = node === '' ? all : all.filter((schedule) => schedule.node === node);
  if (found.length > 0) return found;
  const names = [...new Set(all.map((schedule) => schedule.node))];
  throw new InvalidRequest('There is nothing to backfill.', [
    {
      field: 'node',
      message:
        names.length === 0
          ? 'The workflow has no enabled node with a schedule.'
          : `No node of this name has a schedule. Use one of: ${names.slice(0, 20).join(', ')}.`,
    },
  ]);
};

/** Counts without holding up others for long. @throws InvalidRequest if there are too many. */
const countDueTimes = async (
  schedules: readonly ScheduleEntry[],
  from: Date,
  to: Date,
  zone: string,
): Promise<number> => {
  let count = 0;
  for (const { due } of dueTimesWithin(schedules, from, to, zone)) {
    count += 1;
    if (count > MAX_DUE_TIMES)
      throw new InvalidRequest('The backfill is not valid.', [
        {
          field: 'to',
          message:
            `The period has more than ${MAX_DUE_TIMES} due times: the last of them before ${due.toISOString()}. ` +
            'Take a shorter one, or one node.',
        },
      ]);
    if (count % STRETCH === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return count;
};

/** Backfills of stored workflows. */
export const createManageBackfills = (ports: ManageBackfillsPorts): ManageBackfills => {
  const { backfills, workflows, defaultTimezone, onStarted } = ports;
  return {
    start: async (params, user) => {
      const { workflowId, node, dryRun } = params;
      const workflow = requireEditable(await workflows.find(workflowId), workflowId, user);
      const now = new Date();
      const { from, to } = checkPeriod(params, now);
      const schedules = schedulesFor(await currentSchedules(workflow, ports, now), node);
      const total = await countDueTimes(schedules, from, to, defaultTimezone);
      const backfill: Backfill = {
        id: dryRun ? '' : uuidv7(),
        workflowId,
        from,
        to,
        concurrency: params.concurrency === 0 ? CONCURRENCY : params.concurrency,
        schedules,
        total,
        ...(node === '' ? {} : { node }),
        state: dryRun || total === 0 ? 'done' : 'running',
        position: 0,
        started: 0,
        existing: 0,
        refused: 0,
        createdAt: now,
        updatedAt: now,
      };
      if (dryRun) return backfill;
      if ((await backfills.countRunning(workflowId, MAX_RUNNING)) >= MAX_RUNNING)
        throw new TooManyBackfills(workflowId);
      await backfills.insert(backfill);
      onStarted();
      return backfill;
    },
    list: async (workflowId) => {
      if ((await workflows.find(workflowId)) === undefined) throw new WorkflowNotFound(workflowId);
      return backfills.ofWorkflow(workflowId, MAX_LISTED);
    },
    cancel: async (id, user) => {
      for (;;) {
        const found = await backfills.find(id);
        if (found === undefined) throw new BackfillNotFound(id);
        requireEditable(await workflows.find(found.workflowId), found.workflowId, user);
        if (found.state !== 'running') return found;
        // One that goes on meanwhile is read again.
        if (await backfills.goOn(id, found.position, { ...found, state: 'cancelled' }))
          return { ...found, state: 'cancelled' };
      }
    },
  };
};
