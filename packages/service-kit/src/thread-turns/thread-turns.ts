import { InFlightMap } from '../in-flight';

/** What waits, by workflow. Here and for owners, the one that waits longest comes first. */
type Workflows = InFlightMap<string, (() => void)[]>;

/**
 * Turns at a thread that many runs share. Whoever has worked for long waits for the next turn; one is given in each
 * round of the event loop, so that requests, timers and short runs come in between. Owners take turns, and so do the
 * workflows of each: however many runs of one wait, another one waits for one of them at most.
 */
export class ThreadTurns {
  readonly #owners = new InFlightMap<string, Workflows>();
  #isScheduled = false;

  /** Resolves when it is the turn of this workflow of this owner. */
  take(ownerKey: string, workflowId: string): Promise<void> {
    return new Promise((resolve) => {
      const workflows = this.#owners.get(ownerKey) ?? new InFlightMap();
      if (workflows.size === 0) this.#owners.set(ownerKey, workflows);
      const waiting = workflows.get(workflowId);
      if (waiting === undefined) workflows.set(workflowId, [resolve]);
      else waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#giveTurn();
    });
  }

  #giveTurn(): void {
    const [ownerKey] = this.#owners.keys();
    const workflows = ownerKey === undefined ? undefined : this.#owners.get(ownerKey);
    if (ownerKey === undefined || workflows === undefined) return;
    this.#owners.delete(ownerKey);
    const next = takeFirst(workflows);
    if (workflows.size > 0) this.#owners.set(ownerKey, workflows);
    if (this.#owners.size > 0) this.#schedule();
    next?.();
  }
}

/** Takes the first run of the first workflow, which is the last one then. */
function takeFirst(workflows: Workflows): (() => void) | undefined {
  const [workflowId] = workflows.keys();
  if (workflowId === undefined) return undefined;
  const waiting = workflows.get(workflowId) ?? [];
  workflows.delete(workflowId);
  const next = waiting.shift();
  if (waiting.length > 0) workflows.set(workflowId, waiting);
  return next;
}

/** Turns at the thread of this process. */
export const THREAD_TURNS = new ThreadTurns();
