import { setTimeout as sleep } from 'node:timers/promises';
import { THREAD_TURNS } from '@weft/service-kit/thread-turns';
import { RunAborted } from './run-aborted';

/**
 * Publishes which run has the thread, for a watchdog that cannot ask a blocked thread. Every call takes nanoseconds, so
 * that a run can repeat it wherever its code continues after an `await`.
 */
export interface ThreadHold {
  /** The run has the thread, at least until it awaits something. */
  readonly mark: () => void;
  /** The run has the thread until `work`, which is synchronous, returns. */
  readonly within: <Result>(work: () => Result) => Result;
  /** The run executes this node from now on. */
  readonly node: (name: string) => void;
  /** The run has left the process: what is left of it, such as a node that outlives it, no longer counts as the run. */
  readonly close: () => void;
}

/** How a run shares the thread of its process with others. */
export interface ThreadRules {
  /** However many runs an owner has, the runs of another owner wait for at most one of them. */
  readonly ownerKey: string;
  readonly workflowId: string;
  /** Fires when the run must stop. */
  readonly signal: AbortSignal;
  /**
   * Called before each wait for the thread with the milliseconds that the run has used it so far. It may fire the
   * signal of the run.
   */
  readonly onTurn?: (threadMs: number) => void;
  /** Milliseconds that the run must pause before it gets the thread again. Absent: none. */
  readonly restMs?: () => number;
  /** Absent: no watchdog looks at the run. */
  readonly hold?: ThreadHold;
}

/** Milliseconds of work after which a run yields the thread. */
const TURN_MS = 10;
/** Longest time in milliseconds until a pausing run notices that it must stop. */
const MAX_REST_MS = 500;

/** The turns of one run at the thread. */
export class RunThread {
  #turnBegan = performance.now();
  /** When the run was given the thread; undefined once it waits for something, and others have it. */
  #given: number | undefined;
  #ms = 0;

  constructor(private readonly rules: ThreadRules) {}

  /** As in {@link ThreadHold}. */
  mark(): void {
    this.rules.hold?.mark();
  }

  /** As in {@link ThreadHold}. */
  within<Result>(work: () => Result): Result {
    const { hold } = this.rules;
    return hold === undefined ? work() : hold.within(work);
  }

  /** As in {@link ThreadHold}. */
  node(name: string): void {
    this.rules.hold?.node(name);
  }

  /** As in {@link ThreadHold}. */
  close(): void {
    this.rules.hold?.close();
  }

  /**
   * Yields the thread to other runs if this run has used it for long.
   * @returns undefined if it may continue at once
   * @throws RunAborted if the signal of the run has fired
   */
  pause(): Promise<void> | undefined {
    this.mark();
    return performance.now() - this.#turnBegan < TURN_MS ? undefined : this.takeTurn();
  }

  /**
   * Waits for the thread before work that takes long.
   * @throws RunAborted if the signal of the run has fired
   */
  async takeTurn(): Promise<void> {
    const { ownerKey, workflowId, signal, onTurn, restMs } = this.rules;
    this.#countTurn();
    onTurn?.(this.#ms);
    let toRest: number | undefined;
    do {
      if (toRest !== undefined) await sleep(Math.min(toRest, MAX_REST_MS));
      await THREAD_TURNS.take(ownerKey, workflowId);
      if (signal.aborted) throw new RunAborted();
      // Asked once the run has the thread: runs before it may have used up the owner's share.
      toRest = restMs?.() ?? 0;
    } while (toRest > 0);
    this.mark();
    this.#turnBegan = performance.now();
    this.#given = this.#turnBegan;
    // Comes when there is nothing left to do but to wait.
    process.nextTick(() => {
      if (this.#countTurn()) onTurn?.(this.#ms);
    });
  }

  /** @returns false if the turn has been counted before */
  #countTurn(): boolean {
    if (this.#given === undefined) return false;
    this.#ms += performance.now() - this.#given;
    this.#given = undefined;
    return true;
  }
}
