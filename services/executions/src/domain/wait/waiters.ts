import { createBoundedCache } from '@weft/service-kit/caching';
import { InFlightMap } from '@weft/service-kit/in-flight';
import { TooManyWaiting } from '../state/errors';
import type { ExecutionRecord, StoredResponse } from '../state/execution';
import { isEndState, type ExecutionState } from '../state/execution-state';

/** Goal of a call that waits: the response of a run, or its end. */
export type WaitGoal = 'response' | 'end';

/** Progress of an execution that a caller waits for. */
export interface Progressed {
  readonly state: ExecutionState;
  readonly response?: StoredResponse;
  /** Absent: 0. */
  readonly responseSeq?: number;
}

/** Reads awaited executions; omits deleted ones. @throws Unavailable */
export type ReadProgress = (ids: readonly string[]) => Promise<ReadonlyMap<string, Progressed>>;

/** Result of a wait. */
export interface WaitEnd {
  /** False: the wait timed out, or the caller disconnected. */
  readonly isReached: boolean;
  /** The execution at that time, if it was read. */
  readonly record?: ExecutionRecord;
  /** This process stops: continue the wait at another replica. */
  readonly isStopping?: true;
}

/** Reads one execution; batches concurrent reads. */
type ReadWhole = (executionId: string) => Promise<ExecutionRecord | undefined>;

/** Calls that wait for responses. */
export interface Waiters {
  /** Takes a slot. @throws TooManyWaiting */
  readonly reserve: () => WaiterSlot;
  /** Reports that these executions have changed. */
  readonly changed: (ids: readonly string[]) => void;
  /** Reports the current record of an execution, which saves a read. */
  readonly became: (record: ExecutionRecord) => void;
  /** Polls all awaited executions, in batched reads: a lost hint costs at most the time between two polls. */
  readonly pollAll: () => Promise<void>;
  /** Ends all waits, including later ones: this process stops. */
  readonly stop: () => void;
}

/** Execution that a call waits for. */
export interface AwaitedExecution {
  readonly executionId: string;
  /** It was started just now, so there is nothing to read yet. */
  readonly isNew: boolean;
  /** Number of the response: that to the caller who woke the run for the nth time; absent: 0, to its starter. */
  readonly responseSeq?: number;
}

/** A slot among the calls that wait. */
export interface WaiterSlot {
  /**
   * Ends when the goal is reached, the time is over or the caller disconnects. A response that was replaced by a later
   * one counts as given.
   */
  readonly until: (
    execution: AwaitedExecution,
    goal: WaitGoal,
    limitMs: number,
    signal: AbortSignal,
  ) => Promise<WaitEnd>;
  /** Releases the slot. Must be called once. */
  readonly leave: () => void;
}

interface Waiter {
  readonly goal: WaitGoal;
  readonly responseSeq: number;
  readonly resolve: (end: WaitEnd) => void;
}

const MAX_READ = 500;

/** Changes that are cached for later calls: a run may end before its start has a response. */
const MAX_RECENT = 2_000;

/** An end reaches both goals: a run that ended without a response will never give one. */
export const isGoalReached = (goal: WaitGoal, own: number, { state, response, responseSeq = 0 }: Progressed): boolean =>
  isEndState(state) || (goal === 'response' && (responseSeq === own ? response !== undefined : responseSeq > own));

class Registry {
  readonly #waiting = new InFlightMap<string, Set<Waiter>>();
  readonly #recent = createBoundedCache<string, true>({ maxEntries: MAX_RECENT });
  #hinted = new Set<string>();
  #isReading = false;
  #isStopping = false;

  constructor(
    private readonly readProgress: ReadProgress,
    private readonly readWhole: ReadWhole,
  ) {}

  add(id: string, waiter: Waiter, isNew: boolean): void {
    if (this.#isStopping) return waiter.resolve({ isReached: false, isStopping: true });
    const known = this.#waiting.get(id);
    if (known === undefined) this.#waiting.set(id, new Set([waiter]));
    else known.add(waiter);
    if (!isNew || this.#recent.get(id) === true) this.changed([id]);
  }

  remove(id: string, waiter: Waiter): void {
    const known = this.#waiting.get(id);
    known?.delete(waiter);
    if (known?.size === 0) this.#waiting.delete(id);
  }

  changed(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#waiting.has(id)) this.#hinted.add(id);
      else this.#recent.set(id, true);
    }
    if (this.#hinted.size > 0 && !this.#isReading) {
      this.#isReading = true;
      setImmediate(() => void this.#readHinted());
    }
  }

  became(record: ExecutionRecord): void {
    if (this.#waiting.has(record._id)) this.#notify(record._id, record);
    else this.changed([record._id]);
  }

  async #readHinted(): Promise<void> {
    try {
      while (this.#hinted.size > 0) {
        const ids = [...this.#hinted];
        this.#hinted = new Set();
        await Promise.all(ids.map(async (id) => this.#notify(id, await this.readWhole(id))));
      }
    } catch {
      // The next regular poll reads them again.
    }
    this.#isReading = false;
  }

  async poll(ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += MAX_READ) {
      const found = await this.readProgress(ids.slice(from, from + MAX_READ));
      for (const id of ids.slice(from, from + MAX_READ)) this.#notify(id, found.get(id));
    }
  }

  /** Ends the waits whose goal is reached; all, if the execution was deleted. */
  #notify(id: string, found: ExecutionRecord | Progressed | undefined): void {
    for (const waiter of this.#waiting.get(id) ?? []) {
      if (found === undefined) waiter.resolve({ isReached: false });
      else if (isGoalReached(waiter.goal, waiter.responseSeq, found))
        waiter.resolve({ isReached: true, ...('_id' in found ? { record: found } : {}) });
    }
  }

  pollAll(): Promise<void> {
    return this.poll([...this.#waiting.keys()]);
  }

  stop(): void {
    this.#isStopping = true;
    for (const waiters of [...this.#waiting.values()])
      for (const waiter of [...waiters]) waiter.resolve({ isReached: false, isStopping: true });
  }
}

const waitIn = (
  registry: Registry,
  { executionId, isNew, responseSeq = 0 }: AwaitedExecution,
  goal: WaitGoal,
  limitMs: number,
  signal: AbortSignal,
): Promise<WaitEnd> =>
  new Promise((resolve) => {
    const finish = (end: WaitEnd): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      registry.remove(executionId, waiter);
      resolve(end);
    };
    const giveUp = (): void => finish({ isReached: false });
    const waiter: Waiter = { goal, responseSeq, resolve: finish };
    const timer = setTimeout(giveUp, limitMs);
    signal.addEventListener('abort', giveUp);
    registry.add(executionId, waiter, isNew);
    if (signal.aborted) giveUp();
  });

/** Waiters of one replica, up to a maximum. */
export const createWaiters = (readProgress: ReadProgress, readWhole: ReadWhole, capacity: number): Waiters => {
  const registry = new Registry(readProgress, readWhole);
  let taken = 0;
  return {
    reserve: () => {
      if (taken >= capacity) throw new TooManyWaiting();
      taken += 1;
      return {
        until: (execution, goal, limitMs, signal) => waitIn(registry, execution, goal, limitMs, signal),
        leave: () => {
          taken -= 1;
        },
      };
    },
    changed: (ids) => registry.changed(ids),
    became: (record) => registry.became(record),
    pollAll: () => registry.pollAll(),
    stop: () => registry.stop(),
  };
};
