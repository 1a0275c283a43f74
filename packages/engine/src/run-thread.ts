import { setTimeout as sleep } from 'node:timers/promises';
import { THREAD_TURNS } from '@weft/service-kit/thread-turns';
import { RunAborted } from './run-aborted';

/** How a run shares the thread of its process with others. */
export interface ThreadRules {
  /** However many runs an owner has, those of another one wait for one of them at most. */
  readonly ownerKey: string;
  readonly workflowId: string;
  /** Fires when the run is to give the thread up for good. */
  readonly signal: AbortSignal;
  /**
   * Told when the run waits for its next turn, or after a turn for something else, how many milliseconds it has had the
   * thread in its turns. The signal of the run may fire by that.
   */
  readonly onTurn?: (threadMs: number) => void;
  /** Milliseconds for which the run is to leave the thread to others before it has its next turn. Absent: none. */
  readonly restMs?: () => number;
}

/** Milliseconds of work after which a run lets everything else in the process have its turn. */
const TURN_MS = 10;
/** A run that is stopped notices it after so long, while it rests. */
const MAX_REST_MS = 500;

/** The turns of one run at the thread. */
export class RunThread {
  #turnBegan = performance.now();
  /** When the run was given the thread; undefined once it waits for something, and others have it. */
  #given: number | undefined;
  #ms = 0;

  constructor(private readonly rules: ThreadRules) {}

  /**
   * Lets other runs have the thread, if this one has had it for long.
   * @returns undefined if it may go on at once
   * @throws RunAborted if the signal of the run has fired meanwhile
   */
  pause(): Promise<void> | undefined {
    return performance.now() - this.#turnBegan < TURN_MS ? undefined : this.takeTurn();
  }

  /**
   * Waits for a turn before work that takes long by itself.
   * @throws RunAborted if the signal of the run has fired meanwhile
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
      // Asked at its turn: others whose turns were before may have taken what there was.
      toRest = restMs?.() ?? 0;
    } while (toRest > 0);
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
