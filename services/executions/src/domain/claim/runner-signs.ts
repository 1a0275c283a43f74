import type { Blamed } from '../state/lease-end';
import type { Clock } from '../state/ports';

/** The end of processes of a runner, as another process of the runner reports it. */
export interface RunnerEnd {
  /** The process that reports it. */
  readonly runnerId: string;
  /** The process that has exited; absent: all processes of earlier starts of the runner. */
  readonly endedId?: string;
  /** The execution that ended it, if that is known. */
  readonly blamed?: Blamed;
}

/** Reported end of one process. */
export interface ReportedEnd {
  readonly cause: 'reported' | 'superseded';
  readonly blamed?: Blamed;
}

/** Signs that the processes of runners have exited, by the ids in their leases. */
export interface RunnerSigns {
  /** Stores the report. @returns false if the process does not belong to the runner that reports it */
  readonly ended: (end: RunnerEnd) => boolean;
  /** All connections of a process to this replica have broken. */
  readonly disconnected: (runnerId: string) => void;
  /** A process that was disconnected renewed a lease. */
  readonly isAlive: (runnerId: string) => void;
  /** The report on a process: its exit was seen, or its runner was started again. */
  readonly endOf: (runnerId: string) => ReportedEnd | undefined;
  /** Monotonic time at which a process lost all its connections; undefined: it did not, or was alive later. */
  readonly disconnectedAt: (runnerId: string) => number | undefined;
}

/** Maximum number of remembered signs of each kind: beyond that, the oldest are forgotten and leases run out. */
const MAX_SIGNS = 2_000;

/** `<runner>.<start>` or `<runner>.<start>.<child>`. Undefined for other ids, whose processes have no successor. */
const readRunnerId = (id: string): { readonly runner: string; readonly start: string } | undefined => {
  const [runner, start, , more] = id.split('.');
  return runner === undefined || start === undefined || more !== undefined ? undefined : { runner, start };
};

const remember = <Value>(signs: Map<string, Value>, key: string, value: Value): void => {
  signs.delete(key);
  signs.set(key, value);
  const [oldest] = signs.keys();
  if (signs.size > MAX_SIGNS && oldest !== undefined) signs.delete(oldest);
};

/** The latest start of a runner, and the execution that ended the one before it, if that is known. */
interface LatestStart {
  readonly start: string;
  readonly blamed?: Blamed;
}

/**
 * @param onSign called when there may be leases to end
 */
export const createRunnerSigns = (monotonic: Clock, onSign: () => void): RunnerSigns => {
  const ended = new Map<string, ReportedEnd>();
  const latestStarts = new Map<string, LatestStart>();
  const disconnected = new Map<string, number>();
  const supersededBy = (runnerId: string): ReportedEnd | undefined => {
    const id = readRunnerId(runnerId);
    const latest = id && latestStarts.get(id.runner);
    if (id === undefined || latest === undefined || id.start >= latest.start) return undefined;
    return { cause: 'superseded', ...(latest.blamed === undefined ? {} : { blamed: latest.blamed }) };
  };
  return {
    ended: ({ runnerId, endedId, blamed }) => {
      const reporter = readRunnerId(runnerId);
      if (reporter === undefined) return false;
      if (endedId === undefined) {
        // A report that arrives late, after the next start, ends nothing of that start.
        if ((latestStarts.get(reporter.runner)?.start ?? '') < reporter.start)
          remember(latestStarts, reporter.runner, {
            start: reporter.start,
            ...(blamed === undefined ? {} : { blamed }),
          });
      } else {
        if (readRunnerId(endedId)?.runner !== reporter.runner) return false;
        remember(ended, endedId, { cause: 'reported', ...(blamed === undefined ? {} : { blamed }) });
      }
      onSign();
      return true;
    },
    disconnected: (runnerId) => {
      remember(disconnected, runnerId, monotonic());
      onSign();
    },
    isAlive: (runnerId) => void disconnected.delete(runnerId),
    endOf: (runnerId) => ended.get(runnerId) ?? supersededBy(runnerId),
    disconnectedAt: (runnerId) => disconnected.get(runnerId),
  };
};
