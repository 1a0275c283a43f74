import { InFlightMap } from '../in-flight';

/** Waiting runs by workflow. As with owners, the one that has waited longest comes first. */
type Workflows = InFlightMap<string, (() => void)[]>;

/**
 * Shares a thread fairly between many runs. Long work yields and waits to be resumed; one waiter resumes in each tick
 * of the event loop, so that requests, timers and short runs get their share. Owners alternate, and so do the
 * workflows of each owner: however many runs of one are waiting, another run waits for at most one of them. The caller
 * decides how long a turn is, and when an owner must pause: for runs, `engine/src/run/run-thread.ts` and the runner's
 * thread shares.
 */
export class ThreadTurns {
  readonly #owners = new InFlightMap<string, Workflows>();
  #isScheduled = false;

  /** Resolves when this workflow of this owner may continue. */
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

/** Takes the first run of the first workflow, which then moves to the end. */
function takeFirst(workflows: Workflows): (() => void) | undefined {
  const [workflowId] = workflows.keys();
  if (workflowId === undefined) return undefined;
  const waiting = workflows.get(workflowId) ?? [];
  workflows.delete(workflowId);
  const next = waiting.shift();
  if (waiting.length > 0) workflows.set(workflowId, waiting);
  return next;
}

/** The scheduler of this process's thread. */
export const THREAD_TURNS = new ThreadTurns();
