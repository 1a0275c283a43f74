import type { Principal } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { readPage, shownOf, type Page, type PageParams } from '@weft/service-kit/paging';
import { loadOwned } from '../workflows/change-workflow';
import { WorkflowNotFound } from '../errors';
import { currentSchedules, type ScheduleDeps } from '../schedule/preview-schedule';
import { dueTimesWithin } from '../schedule/due-times';
import type { ScopedWorkflows } from '../scoped-stores';
import type { ScheduleEntry } from '../workflows/workflow';
import {
  BackfillNotFound,
  MAX_CONCURRENCY,
  MAX_DUE_TIMES,
  MAX_RUNNING,
  TooManyBackfills,
  type Backfill,
  type BackfillState,
  type BackfillStore,
} from './backfill';

const idOf = ({ id }: Backfill): string => id;

export interface BackfillParams {
  readonly workflowId: string;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Empty: all nodes. */
  readonly node: string;
  /** 0: the default. */
  readonly concurrency: number;
  readonly dryRun: boolean;
  /** Its id; undefined: a new one. */
  readonly id?: string | undefined;
}

export interface BackfillUseCases {
  /** @throws WorkflowNotFound, NotYourWorkflow, InvalidRequest, TooManyBackfills */
  readonly startBackfill: (params: BackfillParams, user: Principal) => Promise<Backfill>;
  /** Undefined if it does not exist. */
  readonly findBackfill: (id: string) => Promise<Backfill | undefined>;
  /** @throws WorkflowNotFound */
  readonly listBackfills: (workflowId: string) => Promise<Backfill[]>;
  /** Those of all visible workflows, newest first. */
  readonly pageBackfills: (state: BackfillState | undefined, page: PageParams) => Promise<Page<Backfill>>;
  /** @throws BackfillNotFound, NotYourWorkflow */
  readonly cancelBackfill: (id: string, user: Principal) => Promise<Backfill>;
}

export interface BackfillDeps extends Omit<ScheduleDeps, 'workflows'> {
  readonly backfills: BackfillStore;
  readonly workflows: ScopedWorkflows;
  /** Called when a stored backfill can begin. */
  readonly onStarted: () => void;
}

const DEFAULT_CONCURRENCY = 5;
const MAX_LISTED = 50;

/** Number of due times computed between yields to the event loop. */
const YIELD_EVERY = 50;

const checkPeriod = (
  { from, to, concurrency }: BackfillParams,
  now: Date,
): { readonly from: Date; readonly to: Date } => {
  const errors: FieldError[] = [];
  const isTime = (time: Date | undefined): time is Date => time !== undefined && !Number.isNaN(time.getTime());
  if (!isTime(from))
    errors.push({
      field: 'from',
      message: 'Must be the first instant of the period, for example 2026-03-01T00:00:00Z.',
    });
  if (!isTime(to)) errors.push({ field: 'to', message: 'Must be the last instant of the period.' });
  else if (to > now)
    errors.push({ field: 'to', message: 'Must not be in the future: the schedule starts those runs.' });
  if (isTime(from) && isTime(to) && from > to) errors.push({ field: 'from', message: 'Must not be after "to".' });
  if (concurrency > MAX_CONCURRENCY)
    errors.push({ field: 'concurrency', message: `Use a whole number from 1 to ${MAX_CONCURRENCY}.` });
  if (errors.length > 0 || from === undefined || to === undefined)
    throw new InvalidRequest('The backfill is not valid.', errors);
  return { from, to };
};

/** Leaves out polling triggers, which only find what is new now. @throws InvalidRequest if none are left */
const schedulesFor = (every: readonly ScheduleEntry[], node: string): readonly ScheduleEntry[] => {
  const all = every.filter(({ item }) => item !== 'poll');
  const found = node === '' ? all : all.filter((schedule) => schedule.node === node);
  if (found.length > 0) return found;
  const names = [...new Set(all.map((schedule) => schedule.node))];
  throw new InvalidRequest('The workflow has no schedule to backfill.', [
    {
      field: 'node',
      message:
        names.length === 0
          ? 'The workflow has no enabled node with a schedule; polling triggers cannot be backfilled.'
          : `No node of this name has a schedule. Use one of: ${names.slice(0, 20).join(', ')}.`,
    },
  ]);
};

/** Counts without blocking the event loop. @throws InvalidRequest if there are too many */
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
            `The period has more than ${MAX_DUE_TIMES} due times: the last of them is before ${due.toISOString()}. ` +
            'Use a shorter period, or one node.',
        },
      ]);
    if (count % YIELD_EVERY === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return count;
};

/** Backfills of stored workflows. */
export const backfillUseCases = (deps: BackfillDeps): BackfillUseCases => {
  const { backfills, workflows, defaultTimezone, onStarted } = deps;
  return {
    startBackfill: async (params, user) => {
      const { workflowId, node, dryRun, id = uuidv7() } = params;
      const workflow = await loadOwned(workflows, workflowId, user);
      const now = new Date();
      const { from, to } = checkPeriod(params, now);
      const schedules = schedulesFor(await currentSchedules(workflow, deps, now), node);
      const total = await countDueTimes(schedules, from, to, defaultTimezone);
      const backfill: Backfill = {
        id: dryRun ? '' : id,
        workflowId,
        from,
        to,
        concurrency: params.concurrency === 0 ? DEFAULT_CONCURRENCY : params.concurrency,
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
    findBackfill: (id) => backfills.find(id),
    listBackfills: async (workflowId) => {
      if ((await workflows.find(workflowId)) === undefined) throw new WorkflowNotFound(workflowId);
      return backfills.ofWorkflow(workflowId, MAX_LISTED);
    },
    pageBackfills: (state, page) =>
      readPage(
        {
          idOf,
          filters: { state: state ?? '' },
          read: async (beforeId, limit) => {
            const found = await backfills.page(state, beforeId, limit);
            const known = await workflows.summaries([...new Set(found.map(({ workflowId }) => workflowId))]);
            // A deleted workflow has no owner who could tell whether its backfills are visible.
            const isVisible = ({ workflowId }: Backfill): boolean => {
              const workflow = known.get(workflowId);
              return workflow !== undefined && !(workflow instanceof Forbidden);
            };
            return shownOf(found, limit, isVisible, idOf);
          },
        },
        page,
      ),
    cancelBackfill: async (id, user) => {
      for (;;) {
        const found = await backfills.find(id);
        if (found === undefined) throw new BackfillNotFound(id);
        await loadOwned(workflows, found.workflowId, user);
        if (found.state !== 'running') return found;
        // A backfill that advanced meanwhile is read again.
        if (await backfills.advance(id, found.position, { ...found, state: 'cancelled' }))
          return { ...found, state: 'cancelled' };
      }
    },
  };
};
