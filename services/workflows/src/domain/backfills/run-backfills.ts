import { isRetryable, type ServiceError } from '@weft/service-kit/errors';
import { schedulePayload } from '../schedule/schedule-payload';
import type { ScheduledOutcome, ScheduledStart, StartScheduled } from '../schedule/fire-schedules';
import type { WorkflowHead } from '../ports';
import { dueTimesWithin, type DueTime } from '../schedule/due-times';
import type { Backfill, BackfillProgress, BackfillStore } from './backfill';

export interface RunBackfillsDeps {
  readonly backfills: BackfillStore;
  /** Selects this replica's share. */
  readonly takeMine: (found: readonly Backfill[]) => readonly Backfill[];
  readonly findHeads: (ids: readonly string[]) => Promise<WorkflowHead[]>;
  readonly start: StartScheduled;
  readonly defaultTimezone: string;
}

/** Maximum backfills advanced in one tick. */
const MAX_PER_TICK = 20;

/** Number of refused starts without a success after which a backfill fails. */
const MAX_REFUSED = 20;

/** Number of due times computed between yields to the event loop. */
const YIELD_EVERY = 50;

/**
 * Milliseconds to the next step of a backfill that cannot start anything. It doubles each time, and stays below the
 * time after which other replicas take over.
 */
const BACK_OFF_MS = 100;
const MAX_BACK_OFF_MS = 10_000;

type StartState =
  | { readonly kind: 'started' | 'existing' }
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly error: ServiceError };

/** A due time in the window of a backfill. */
interface OpenStart {
  readonly time: DueTime;
  state: StartState;
}

/** Position of a backfill within its due times; held in memory and rebuilt from the stored position. */
interface Walk {
  readonly times: Generator<DueTime, void>;
  /** Due times from the stored position on. */
  readonly window: OpenStart[];
  position: number;
  /** Consecutive steps that started nothing. */
  idle: number;
  /** Time of its next step, in monotonic milliseconds. */
  pausedUntil: number;
}

const startStateOf = ({ error, existing }: ScheduledOutcome): StartState => {
  if (error === undefined) return { kind: existing === true ? 'existing' : 'started' };
  if (error.reason === 'IDEMPOTENCY_KEY_REUSED') return { kind: 'existing' };
  // It has reached its maximum of concurrent runs.
  if (error.reason === 'EXECUTION_OVERLAPS') return { kind: 'open' };
  return isRetryable(error.kind) ? { kind: 'open' } : { kind: 'refused', error };
};

const fill = ({ window, times }: Walk, size: number): void => {
  while (window.length < size) {
    const { value } = times.next();
    if (value === undefined) return;
    window.push({ time: value, state: { kind: 'open' } });
  }
};

/**
 * Starts at most `concurrency` due times per step, each in a slot. The mutex key of a slot allows one run at a time
 * across all replicas and restarts, so the queue never holds more runs of the backfill.
 */
const startOpen = async (
  backfill: Backfill,
  head: WorkflowHead,
  { window }: Walk,
  start: StartScheduled,
  tick: number,
): Promise<void> => {
  const open = window.filter(({ state }) => state.kind === 'open').slice(0, backfill.concurrency);
  const starts = open.map(({ time: { due, schedule, zone } }, index): ScheduledStart => ({
    workflowId: backfill.workflowId,
    versionId: head.versionId,
    ownerId: head.ownerId,
    node: schedule.node,
    due,
    input: schedulePayload(schedule, due, zone),
    // Rotate slots: the previous one may be taken by a long run.
    mutexKey: `backfill:${backfill.id}:${(index + tick) % backfill.concurrency}`,
  }));
  if (starts.length === 0) return;
  const outcomes = await start(starts);
  open.forEach((one, index) => {
    one.state = startStateOf(outcomes[index] ?? {});
  });
};

/** Removes completed starts from the front of the window. */
const progressOf = (backfill: Backfill, { window }: Walk): BackfillProgress => {
  const { state, position, started, existing, refused, reason, message } = backfill;
  const progress = {
    state,
    position,
    started,
    existing,
    refused,
    ...(reason === undefined ? {} : { reason }),
    ...(message === undefined ? {} : { message }),
  };
  for (let first = window[0]; first !== undefined && first.state.kind !== 'open'; first = window[0]) {
    window.shift();
    progress.position += 1;
    if (first.state.kind === 'refused') {
      progress.refused += 1;
      progress.reason = first.state.error.reason;
      progress.message = first.state.error.message.slice(0, 1_000);
    } else {
      progress[first.state.kind] += 1;
    }
  }
  const isHopeless = progress.refused >= MAX_REFUSED && progress.started + progress.existing === 0;
  return { ...progress, state: isHopeless ? 'failed' : progress.position >= backfill.total ? 'done' : 'running' };
};

const isMoved = (before: Backfill, after: BackfillProgress): boolean =>
  before.position !== after.position || before.state !== after.state;

/**
 * Advances backfills, one step per tick. A replica that takes one over repeats at most the starts whose progress was
 * not stored; repeating a due time does not start it twice.
 */
export const createRunBackfills = ({ backfills, takeMine, findHeads, start, defaultTimezone }: RunBackfillsDeps) => {
  const walks = new Map<string, Walk>();
  let tick = 0;

  const walkOf = async (backfill: Backfill): Promise<Walk> => {
    const known = walks.get(backfill.id);
    if (known?.position === backfill.position) return known;
    const walk: Walk = {
      times: dueTimesWithin(backfill.schedules, backfill.from, backfill.to, defaultTimezone),
      window: [],
      position: backfill.position,
      idle: 0,
      pausedUntil: 0,
    };
    for (let passed = 0; passed < backfill.position; passed += 1) {
      walk.times.next();
      if (passed % YIELD_EVERY === YIELD_EVERY - 1) await new Promise((resolve) => setImmediate(resolve));
    }
    walks.set(backfill.id, walk);
    return walk;
  };
  /** @returns whether it only skipped due times that ran before, so that the next step can follow immediately */
  const step = async (backfill: Backfill, head: WorkflowHead | undefined): Promise<boolean> => {
    if (head === undefined) {
      await backfills.advance(backfill.id, backfill.position, {
        ...backfill,
        state: 'failed',
        reason: 'WORKFLOW_NOT_FOUND',
        message: 'The workflow was deleted.',
      });
      return false;
    }
    const walk = await walkOf(backfill);
    if (performance.now() < walk.pausedUntil) return false;
    fill(walk, backfill.concurrency);
    await startOpen(backfill, head, walk, start, tick);
    const progress = progressOf(backfill, walk);
    // Store it even without progress, so that the next tick takes the others first.
    const isStored = await backfills.advance(backfill.id, backfill.position, progress);
    walk.idle = isMoved(backfill, progress) ? 0 : walk.idle + 1;
    walk.pausedUntil =
      performance.now() + (walk.idle === 0 ? 0 : Math.min(MAX_BACK_OFF_MS, BACK_OFF_MS * 2 ** Math.min(walk.idle, 10)));
    walk.position = progress.position;
    if (!isStored || progress.state !== 'running') walks.delete(backfill.id);
    return (
      isStored &&
      progress.state === 'running' &&
      progress.started === backfill.started &&
      progress.position > backfill.position
    );
  };
  /** Advances each backfill of this replica by one step. @returns whether the next tick can follow immediately */
  return async function runBackfills(): Promise<boolean> {
    tick += 1;
    const mine = takeMine(await backfills.running(MAX_PER_TICK * 10)).slice(0, MAX_PER_TICK);
    for (const id of walks.keys())
      if (!mine.some((one) => one.id === id) && walks.size > MAX_PER_TICK * 10) walks.delete(id);
    if (mine.length === 0) return false;
    const heads = new Map((await findHeads(mine.map(({ workflowId }) => workflowId))).map((head) => [head.id, head]));
    const outcomes = await Promise.allSettled(mine.map((backfill) => step(backfill, heads.get(backfill.workflowId))));
    const failure = outcomes.find(({ status }) => status === 'rejected');
    // An error of one backfill does not stop the others; the loop logs it.
    if (failure?.status === 'rejected') throw failure.reason;
    return outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value);
  };
};
