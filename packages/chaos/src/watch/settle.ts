import { setTimeout as sleep } from 'node:timers/promises';
import type { Sink } from '../environment/sink';
import type { ExecutionRow, StoreReader } from './store';

/** Interval at which a long wait is reported. */
const TELL_MS = 10_000;

/** How often each name occurs. */
export const countBy = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

const statesLine = (rows: readonly { readonly state: string }[]): string =>
  Object.entries(countBy(rows.map(({ state }) => state)))
    .map(([state, count]) => `${state} ${count}`)
    .join(', ');

/** Outcome of a wait for the end of all runs. */
export interface Settled {
  readonly ms: number;
  /** Ids of the runs that had not ended when the time was up. */
  readonly left: ReadonlySet<string>;
}

/** Runs that a wait leaves out. */
export interface SettleOptions {
  /** Schedules still add runs, which are not waited for; by default they do. */
  readonly schedulesAreActive?: boolean;
  /** Ids that an earlier wait has abandoned; none by default. */
  readonly givenUp?: ReadonlySet<string>;
}

const isScheduled = ({ idempotencyKey = '' }: ExecutionRow): boolean => idempotencyKey.startsWith('sched:');

/**
 * Waits until no runs are left except those that an earlier wait has abandoned and, as long as the schedules are
 * active, new scheduled runs.
 * @param report notified of a long wait
 */
export const settle = async (
  store: StoreReader,
  limitMs: number,
  report: (line: string) => void,
  { schedulesAreActive = true, givenUp = new Set() }: SettleOptions = {},
): Promise<Settled> => {
  const began = Date.now();
  let toldAt = began;
  let left = new Set<string>();
  while (Date.now() - began < limitMs) {
    const live = await store.inStates(['queued', 'running', 'waiting']).then(
      (rows) => rows.filter((row) => !schedulesAreActive || !isScheduled(row)),
      (error: unknown) => String(error),
    );
    if (typeof live !== 'string') {
      left = new Set(live.map(({ _id }) => _id));
      if ([...left].every((id) => givenUp.has(id))) break;
    }
    if (Date.now() - toldAt > TELL_MS) {
      toldAt = Date.now();
      report(`    ${typeof live === 'string' ? `the database does not answer: ${live}` : statesLine(live)}`);
    }
    await sleep(250);
  }
  return { ms: Date.now() - began, left };
};

/** Several intervals of the schedules; one that has stopped is found by the check. */
const SCHEDULE_LIMIT_MS = 15_000;

/** Waits for a scheduled call of the sink after the last fault: all other runs can end before there is one. */
export const untilScheduleGoesOn = async (sink: Sink, lastFaultAt: number): Promise<void> => {
  const limit = Date.now() + SCHEDULE_LIMIT_MS;
  while (Date.now() < limit && ![...sink.ticks.keys()].some((due) => Date.parse(due) > lastFaultAt)) await sleep(250);
};
