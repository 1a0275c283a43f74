import type { CodeAnswer } from './code-runner';
import type { ProcessAnswer } from './sandbox-process';

/** The program that the processes of a pool run. */
export interface PoolProgram {
  /** Absolute path. Its arguments are the MiB that one run may use, and `values`. */
  readonly path: string;
  readonly values: readonly string[];
  /** Flags of Node, besides the size of the heap. */
  readonly flags: readonly string[];
  /** Maximum bytes of the input of one run, and of its result. */
  readonly inputBytes: number;
  readonly resultBytes: number;
  /** Idle processes that are held for their owners, for each one that may run. */
  readonly idleFactor: number;
  /** MiB above which an idle process is ended instead, where the system says what it has; any number if absent. */
  readonly idleMb?: number;
}

/** Settings of a pool of processes that run code. */
export interface PoolOptions {
  /** Maximum processes that run code at the same time. */
  readonly processes: number;
  /** MiB that one run may use. */
  readonly memoryMb: number;
  /** Milliseconds that one run may take. */
  readonly timeoutMs: number;
  /** Runs in a process before a new one takes its place; 1,000 if absent. */
  readonly runsMax?: number;
  /** Told how long each run has waited for its turn, in milliseconds. */
  readonly onWaited?: (ms: number) => void;
  /** Runs that wait for a process; 1,000 if absent. */
  readonly waitingMax?: number;
}

/** Runs in a process before a new one takes its place. */
export const MAX_RUNS = 1_000;
/** Processes that may end under a run before that counts as its doing, though others had used them before. */
export const MAX_ATTEMPTS = 3;

/** The outcome of a run, from what its process answered. */
export function answerOf({ result, stopped, console }: ProcessAnswer): CodeAnswer {
  return result === undefined
    ? { kind: 'stopped', reason: stopped ?? 'crash', console }
    : { kind: 'result', report: result, console };
}
