import { isPassing, type ServiceError } from '@weft/service-kit/errors';
import { scheduledInput } from '../clock-item';
import type { ScheduledOutcome, ScheduledStart, StartScheduled } from '../fire-schedules';
import type { WorkflowHead } from '../ports';
import { dueTimesWithin, type DueTime } from '../schedule/due-times';
import type { Backfill, BackfillProgress, BackfillStore } from './backfill';

/** What running backfills needs. */
export interface RunBackfillsPorts {
  readonly backfills: BackfillStore;
  /** What this replica is to look after. */
  readonly takeMine: (found: readonly Backfill[]) => readonly Backfill[];
  readonly findHeads: (ids: readonly string[]) => Promise<WorkflowHead[]>;
  readonly start: StartScheduled;
  readonly defaultTimezone: string;
}

/** Backfills that get a step in one turn. */
const TOGETHER = 20;

/** Starts refused one after the other, with none that went well, after which a backfill is given up. */
const MAX_REFUSED = 20;

/** Due times that are worked out before others get their turn. */
const STRETCH = 50;

/**
 * Milliseconds for which a backfill rests that cannot start anything: doubling, and shorter than others wait before
 * they take it over.
 */
const REST_MS = 100;
const MAX_REST_MS = 10_000;

type Settlement =
  | { readonly kind: 'started' | 'existing' }
  | { readonly kind: 'open' }
  | { readonly kind: 'refused'; readonly error: ServiceError };

/** A due time that has been taken up. */
interface Taken {
  readonly time: DueTime;
  settlement: Settlement;
}

/** Where a backfill is within its due times; in memory, and made anew from its position. */
interface Walk {
  readonly times: Generator<DueTime, void>;
  /** Due times from the stored position on. */
  readonly window: Taken[];
  position: number;
  /** Steps in a row that started nothing. */
  idle: number;
  /** It is left alone until then, in milliseconds of a clock that never jumps. */
  restsUntil: number;
}

const settlementOf = ({ error, existing }: ScheduledOutcome): Settlement => {
  if (error === undefined) return { kind: existing === true ? 'existing' : 'started' };
  if (error.reason === 'IDEMPOTENCY_KEY_REUSED') return { kind: 'existing' };
  // As many of its runs are under way as may be.
  if (error.reason === 'EXECUTION_OVERLAPS') return { kind: 'open' };
  return isPassing(error.kind) ? { kind: 'open' } : { kind: 'refused', error };
};

const take = ({ window, times }: Walk, most: number): void => {
  while (window.length < most) {
    const { value } = times.next();
    if (value === undefined) return;
    window.push({ time: value, settlement: { kind: 'open' } });
  }
};

/**
 * Starts at most `concurrency` due times a step, each in a place of its own: the exclusive key of a place lets one run
 * of the backfill be there at a time, over all replicas and restarts, so the queue never holds more of it than that.
 */
const startOpen = async (
  backfill: Backfill,
  head: WorkflowHead,
  { window }: Walk,
  start: StartScheduled,
  turn: number,
): Promise<void> => {
  const open = window.filter(({ settlement }) => settlement.kind === 'open').slice(0, backfill.concurrency);
  const starts = open.map(({ time: { due, schedule, zone } }, index): ScheduledStart => ({
    workflowId: backfill.workflowId,
    versionId: head.versionId,
    ownerId: head.ownerId,
    node: schedule.node,
    due,
    input: scheduledInput(schedule, due, zone),
    // Another place each time: the one it had may be taken by a long run.
    exclusiveKey: `backfill:${backfill.id}:${(index + turn) % backfill.concurrency}`,
  }));
  if (starts.length === 0) return;
  const outcomes = await start(starts);
  open.forEach((taken, index) => {
    taken.settlement = settlementOf(outcomes[index] ?? {});
  });
};

/** Takes what is settled off the front of the window. */
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
  for (let first = window[0]; first !== undefined && first.settlement.kind !== 'open'; first = window[0]) {
    window.shift();
    progress.position += 1;
    if (first.settlement.kind === 'refused') {
      progress.refused += 1;
      progress.reason = first.settlement.error.reason;
      progress.message = first.settlement.error.message.slice(0, 1_000);
    } else {
      progress[first.settlement.kind] += 1;
    }
  }
  const isHopeless = progress.refused >= MAX_REFUSED && progress.started + progress.existing === 0;
  return { ...progress, state: isHopeless ? 'failed' : progress.position >= backfill.total ? 'done' : 'running' };
};

const isMoved = (before: Backfill, after: BackfillProgress): boolean =>
  before.position !== after.position || before.state !== after.state;

/**
 * Carries backfills on, one step each turn. Whoever takes one over repeats at most what was not stored: the same due
 * times are the same starts.
 */
export const createRunBackfills = ({ backfills, takeMine, findHeads, start, defaultTimezone }: RunBackfillsPorts) => {
  const walks = new Map<string, Walk>();
  let turn = 0;

  const walkOf = async (backfill: Backfill): Promise<Walk> => {
    const known = walks.get(backfill.id);
    if (known?.position === backfill.position) return known;
    const walk: Walk = {
      times: dueTimesWithin(backfill.schedules, backfill.from, backfill.to, defaultTimezone),
      window: [],
      position: backfill.position,
      idle: 0,
      restsUntil: 0,
    };
    for (let passed = 0; passed < backfill.position; passed += 1) {
      walk.times.next();
      if (passed % STRETCH === STRETCH - 1) await new Promise((resolve) => setImmediate(resolve));
    }
    walks.set(backfill.id, walk);
    return walk;
  };
  /** @returns whether it passed only over what had been run before: nothing to wait for. */
  const step = async (backfill: Backfill, head: WorkflowHead | undefined): Promise<boolean> => {
    if (head === undefined) {
      await backfills.goOn(backfill.id, backfill.position, {
        ...backfill,
        state: 'failed',
        reason: 'WORKFLOW_NOT_FOUND',
        message: 'The workflow was deleted.',
      });
      return false;
    }
    const walk = await walkOf(backfill);
    if (performance.now() < walk.restsUntil) return false;
    take(walk, backfill.concurrency);
    await startOpen(backfill, head, walk, start, turn);
    const progress = progressOf(backfill, walk);
    // Also where nothing moved, so that all take turns.
    const isStored = await backfills.goOn(backfill.id, backfill.position, progress);
    walk.idle = isMoved(backfill, progress) ? 0 : walk.idle + 1;
    walk.restsUntil =
      performance.now() + (walk.idle === 0 ? 0 : Math.min(MAX_REST_MS, REST_MS * 2 ** Math.min(walk.idle, 10)));
    walk.position = progress.position;
    if (!isStored || progress.state !== 'running') walks.delete(backfill.id);
    return (
      isStored &&
      progress.state === 'running' &&
      progress.started === backfill.started &&
      progress.position > backfill.position
    );
  };
  /** One turn: a step of each backfill that is this replica's. @returns whether the next one may follow at once. */
  return async (): Promise<boolean> => {
    turn += 1;
    const mine = takeMine(await backfills.running(TOGETHER * 10)).slice(0, TOGETHER);
    for (const id of walks.keys())
      if (!mine.some((one) => one.id === id) && walks.size > TOGETHER * 10) walks.delete(id);
    if (mine.length === 0) return false;
    const heads = new Map((await findHeads(mine.map(({ workflowId }) => workflowId))).map((head) => [head.id, head]));
    const outcomes = await Promise.allSettled(mine.map((backfill) => step(backfill, heads.get(backfill.workflowId))));
    const failure = outcomes.find(({ status }) => status === 'rejected');
    // One that fails keeps no other from its step; the loop logs it.
    if (failure?.status === 'rejected') throw failure.reason;
    return outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value);
  };
};
