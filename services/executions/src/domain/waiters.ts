import { TooManyWaiting } from './errors';
import type { StoredAnswer } from './execution';
import { isEndState, type ExecutionState } from './execution-state';

/** What a call waits for: the answer of a run, or its end. */
export type WaitGoal = 'response' | 'end';

/** What is known of an execution that somebody waits for. */
export interface Progressed {
  readonly state: ExecutionState;
  readonly response?: StoredAnswer;
}

/** Reads executions that are waited for; ids that are gone are left out. @throws Unavailable */
export type ReadProgress = (ids: readonly string[]) => Promise<ReadonlyMap<string, Progressed>>;

/** Calls that wait for answers. */
export interface Waiters {
  /** Takes a place. @throws TooManyWaiting */
  readonly reserve: () => Place;
  /** Something happened to these executions. */
  readonly changed: (ids: readonly string[]) => void;
  /** Looks at everything that is waited for, in batched reads: a lost hint costs no more than the time between two looks. */
  readonly lookAtAll: () => Promise<void>;
}

/** A place among the calls that wait. */
export interface Place {
  /** Ends when the goal is reached (true), or the time or the caller's patience is over (false). */
  readonly until: (executionId: string, goal: WaitGoal, limitMs: number, signal: AbortSignal) => Promise<boolean>;
  /** Gives the place back. Must be called once. */
  readonly leave: () => void;
}

interface Waiter {
  readonly goal: WaitGoal;
  readonly settle: (isReached: boolean) => void;
}

const MAX_READ = 500;

/** An end settles both goals: a run that ended without an answer will never give one. */
const isReached = (goal: WaitGoal, { state, response }: Progressed): boolean => isEndState(state) || (goal === 'response' && response !== undefined);

class Registry {
  readonly #waiting = new Map<string, Set<Waiter>>();
  #hinted = new Set<string>();
  #isLooking = false;

  constructor(private readonly readProgress: ReadProgress) {}

  add(id: string, waiter: Waiter): void {
    const known = this.#waiting.get(id);
    if (known === undefined) this.#waiting.set(id, new Set([waiter]));
    else known.add(waiter);
    this.changed([id]);
  }

  remove(id: string, waiter: Waiter): void {
    const known = this.#waiting.get(id);
    known?.delete(waiter);
    if (known?.size === 0) this.#waiting.delete(id);
  }

  changed(ids: readonly string[]): void {
    for (const id of ids) if (this.#waiting.has(id)) this.#hinted.add(id);
    if (this.#hinted.size > 0 && !this.#isLooking) {
      this.#isLooking = true;
      setImmediate(() => void this.#lookAtHinted());
    }
  }

  async #lookAtHinted(): Promise<void> {
    try {
      while (this.#hinted.size > 0) {
        const ids = [...this.#hinted];
        this.#hinted = new Set();
        await this.look(ids);
      }
    } catch {
      // The next regular look asks for them again.
    }
    this.#isLooking = false;
  }

  async look(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += MAX_READ) {
      const found = await this.readProgress(ids.slice(from, from + MAX_READ));
      for (const id of ids.slice(from, from + MAX_READ)) this.#tell(id, found.get(id));
    }
  }

  #tell(id: string, progressed: Progressed | undefined): void {
    for (const waiter of this.#waiting.get(id) ?? []) {
      if (progressed === undefined || isReached(waiter.goal, progressed)) waiter.settle(progressed !== undefined);
    }
  }

  lookAtAll(): Promise<void> {
    return this.look([...this.#waiting.keys()]);
  }
}

const waitIn = (registry: Registry, executionId: string, goal: WaitGoal, limitMs: number, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (reached: boolean): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      registry.remove(executionId, waiter);
      resolve(reached);
    };
    const giveUp = (): void => settle(false);
    const waiter: Waiter = { goal, settle };
    const timer = setTimeout(giveUp, limitMs);
    signal.addEventListener('abort', giveUp);
    registry.add(executionId, waiter);
    if (signal.aborted) giveUp();
  });

/** Waiters of one replica, a bounded number of them. */
export const createWaiters = (readProgress: ReadProgress, capacity: number): Waiters => {
  const registry = new Registry(readProgress);
  let taken = 0;
  return {
    reserve: () => {
      if (taken >= capacity) throw new TooManyWaiting();
      taken += 1;
      return {
        until: (executionId, goal, limitMs, signal) => waitIn(registry, executionId, goal, limitMs, signal),
        leave: () => { taken -= 1; },
      };
    },
    changed: (ids) => registry.changed(ids),
    lookAtAll: () => registry.lookAtAll(),
  };
};
