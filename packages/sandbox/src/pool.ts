import type { CodeAnswer, CodeStop } from './code-runner';
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
  /** MiB above which an idle process is ended instead, where the system says what it has; any number if absent. */
  readonly idleMb?: number;
  /** Runs in a process before a new one takes its place; {@link MAX_RUNS} if absent. */
  readonly runsMax?: number;
  /** True for a program that calls `serveForks`. */
  readonly isForked?: boolean;
}

/** Limits of runs in a pool. */
export interface RunLimits {
  /** MiB that one run may use. */
  readonly memoryMb: number;
  /** Milliseconds that one run may take. */
  readonly timeoutMs: number;
  /** Runs in a process before a new one takes its place; as the program says if absent. */
  readonly runsMax?: number;
  /** MiB that processes which are held may have of their own, all together; any number if absent. */
  readonly heldMb?: number;
}

/** Settings of a pool of processes that run code. */
export interface PoolOptions extends RunLimits {
  /** Processes that run code at the same time, besides one for owners who have none running. */
  readonly processes: number;
  /**
   * Sealed processes that are held for their owners, or ready for the next one, besides; 64 if absent.
   */
  readonly held?: number;
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
    ? { kind: 'stopped', reason: stopped === undefined || stopped === 'displaced' ? 'crash' : stopped, console }
    : { kind: 'result', report: result, console };
}

/** A run that has no result, and wrote nothing. */
export const stopped = (reason: CodeStop): CodeAnswer => ({ kind: 'stopped', reason, console: [] });
