import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Logger } from '@weft/service-kit/logging';
import { createBoundedCache } from '@weft/service-kit/caching';
import type { ChildOptions } from '../child/child-process';
import { createSlots, type FreeSlots } from '../domain/claims/shares/slots';
import type { TakeIds } from '../messaging/pull-work';
import { createLane, type Lane } from './lane';

/** The processes of a runner for isolated runs, which crashed a runner. */
export interface Isolation {
  /**
   * Claims and runs an execution there.
   * @returns whether the service has responded about it. False: there is no place for it, or its process has died; it
   * must be announced again.
   */
  readonly run: (executionId: string) => Promise<boolean>;
  /** Places in which runs wait for a process; each is freed when the claim of its run has a response. */
  readonly places: FreeSlots;
  /** Runs each of these with `run`, as long as there are places. */
  readonly take: TakeIds;
  /** Asks at once whether the claims on these executions are still valid. */
  readonly recheck: (executionIds: readonly string[]) => void;
  /** These executions are followed. */
  readonly follow: (executionIds: readonly string[]) => void;
  /** Lets the processes release their runs and exit. */
  readonly stop: () => Promise<void>;
}

/** Dependencies of isolation. */
export interface IsolationOptions {
  /** MiB of heap of each process. */
  readonly heapMb: number;
  readonly logger: Logger;
  /** Serves the pipe over which a process uses the pools of this one. */
  readonly servePools: (pipe: Duplex) => void;
  /** As for every child process. */
  readonly createId?: () => string;
  readonly onDied?: NonNullable<ChildOptions<never>['onDied']>;
  /** Notifies the followers of these executions. */
  readonly tellProgressed: (executionIds: readonly string[]) => void;
  /** Sends parts of text of an execution, as a DeltaBatch, to those who follow it. */
  readonly tellStreamed: (executionId: string, batch: Uint8Array) => void;
  /** Maximum number of processes. */
  readonly processes: number;
  /** The program of the processes; that of this folder if absent. */
  readonly program?: string;
  /** Milliseconds between pings of the thread of a process; 1,000 if absent. */
  readonly pingMs?: number;
}

/**
 * Places per process: one for the run being claimed there, and one for the next. Runs without a place stay in the
 * queue, where any runner takes them, and remain if this one dies.
 */
const PLACES = 2;

/** Number of runs that are remembered because their process died. */
const MAX_REMEMBERED = 1_000;
/** Milliseconds for which such a run waits for an empty process: if it dies alone, the cause is known. */
const EMPTY_WAIT_MS = 10_000;

interface Waiting {
  readonly executionId: string;
  /** Monotonic milliseconds until which it waits for an empty process. */
  readonly needsEmptyUntil: number;
  readonly settle: (isAnswered: boolean) => void;
}

/**
 * A few processes, started on demand. A run begins in an empty process, and shares it once it has run for a while
 * without harm. Only when every process has a long run, or others wait, does a run begin next to such runs, where there
 * are fewest. So the death of a process rarely affects other runs; a run that blocks its thread costs its process,
 * which is killed.
 */
export const createIsolation = ({
  heapMb,
  logger,
  servePools,
  tellProgressed,
  tellStreamed,
  processes,
  program = join(__dirname, 'main.js'),
  pingMs,
  ...identity
}: IsolationOptions): Isolation => {
  const waiting: Waiting[] = [];
  const places = createSlots(processes * PLACES);
  let isStopping = false;

  const suspects = createBoundedCache<string, true>({ maxEntries: MAX_REMEMBERED });
  /** The process for a run; undefined: none now. */
  const choose = ({ needsEmptyUntil }: Waiting): Lane | undefined => {
    const empty = lanes.find((lane) => lane.isFree() && lane.running() === 0);
    if (empty !== undefined) return empty;
    const starting = lanes.filter((lane) => lane.isStarting()).length;
    const startable = lanes.find((lane) => lane.mayStart());
    if (startable !== undefined && starting < waiting.length) startable.start();
    if (startable !== undefined || starting > 0 || needsEmptyUntil > performance.now()) return undefined;
    // If no other run waits behind it, a run can wait for an empty process; otherwise too many would wait.
    if (places.free() > 0 && lanes.some((lane) => lane.isTrying())) return undefined;
    return lanes.filter((lane) => lane.isFree()).sort((one, other) => one.running() - other.running())[0];
  };
  const next = (): void => {
    for (const one of [...waiting]) {
      if (isStopping) return;
      const lane = choose(one);
      if (lane === undefined) continue;
      waiting.splice(waiting.indexOf(one), 1);
      void lane.run(one.executionId).then(one.settle);
    }
  };
  const onUnstartable = (): void => {
    // A run whose process fails to start is left to other runners.
    for (const { settle } of waiting.splice(0)) settle(false);
  };
  const lanes: readonly Lane[] = Array.from({ length: processes }, () =>
    createLane({
      program,
      heapMb,
      logger,
      servePools,
      ...identity,
      tellProgressed,
      tellStreamed,
      ...(pingMs === undefined ? {} : { pingMs }),
      onChange: next,
      onDeath: (executionIds) => {
        for (const executionId of executionIds) suspects.set(executionId, true);
      },
      onUnstartable,
    }),
  );
  const run = async (executionId: string): Promise<boolean> => {
    if (isStopping || places.takeFree(1) === 0) return false;
    try {
      return await new Promise<boolean>((settle) => {
        const waitMs = suspects.get(executionId) === true ? EMPTY_WAIT_MS : 0;
        waiting.push({ executionId, needsEmptyUntil: performance.now() + waitMs, settle });
        if (waitMs > 0) setTimeout(next, waitMs).unref();
        next();
      });
    } finally {
      places.release();
    }
  };
  return {
    run,
    places,
    take: async (executionIds) =>
      (await Promise.all(executionIds.map(run))).every((isAnswered) => isAnswered) ? 'answered' : 'again',
    recheck: (executionIds) => lanes.forEach((lane) => lane.recheck(executionIds)),
    follow: (executionIds) => lanes.forEach((lane) => lane.follow(executionIds)),
    stop: async () => {
      isStopping = true;
      onUnstartable();
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
};
