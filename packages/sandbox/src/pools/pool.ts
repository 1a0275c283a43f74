import type { CodeAnswer, CodeStop } from '../code/code-runner';
import type { ProcessAnswer } from '../process/sandbox-process';

/** The program that the processes of a pool run. */
export interface PoolProgram {
  /** Absolute path. Its arguments are the MiB that one run may use, and `values`. */
  readonly path: string;
  readonly values: readonly string[];
  /** Node flags in addition to the heap size. */
  readonly flags: readonly string[];
  /** Maximum bytes of the input of one run, and of its result. */
  readonly inputBytes: number;
  readonly resultBytes: number;
  /** MiB above which an idle process is ended, if the system reports its memory. Default: unlimited. */
  readonly idleMb?: number;
  /** Runs per process. Default: {@link MAX_RUNS}. */
  readonly runsMax?: number;
  /** Maximum milliseconds until a process is ready. Default: `START_MS`. */
  readonly startMs?: number;
  /** True for a program that calls `serveForks`. */
  readonly isForked?: boolean;
}

/** Limits of runs in a pool. */
export interface RunLimits {
  /** MiB that one run may use. */
  readonly memoryMb: number;
  /** Milliseconds that one run may take. */
  readonly timeoutMs: number;
  /** Maximum runs per process, if it is to be lower than that of the program. */
  readonly runsMax?: number;
  /** Maximum private memory of all idle processes together, in MiB. Default: unlimited. */
  readonly heldMb?: number | (() => number);
}

export interface PoolOptions extends RunLimits {
  /** Maximum processes running code, plus one for owners without a running one. */
  readonly processes: number;
  /** Maximum additional sealed idle processes, assigned to an owner or spare. Default: 64. */
  readonly held?: number;
  /** Called with the time each run waited for its place, in milliseconds. */
  readonly onWaited?: (ms: number) => void;
  /** Maximum waiting runs. Default: 1,000. */
  readonly waitingMax?: number;
}

/** Runs per process. */
export const MAX_RUNS = 1_000;
/** Number of processes with earlier runs that may crash under a run before the crash is attributed to the run. */
export const MAX_ATTEMPTS = 3;

/** The outcome of a run, from the response of its process. */
export function answerOf({ result, stopped, console }: ProcessAnswer): CodeAnswer {
  return result === undefined
    ? { kind: 'stopped', reason: stopped === undefined || stopped === 'displaced' ? 'crash' : stopped, console }
    : { kind: 'result', report: result, console };
}

/** A run without a result or console output. */
export const stopped = (reason: CodeStop): CodeAnswer => ({ kind: 'stopped', reason, console: [] });
