import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Unavailable } from '@weft/service-kit/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import { NotYourWorkflow, WebhookPathTaken, WorkflowBusy, WorkflowNotFound } from './errors';
import type { WorkflowStore, WriteOutcome } from './ports';
import type { SeenWorkflows } from './seen-stores';
import { untilLeasesEnd, withRelease } from './route-leases';
import type { Activation, Workflow } from './workflow';

/** A change of one workflow. */
export interface WorkflowChange {
  readonly workflowId: string;
  readonly user: Principal;
  /**
   * Returns the workflow after the change, or the same object if there is nothing to change. Called again if another
   * change came first.
   */
  readonly change: (seen: Workflow) => Workflow | Promise<Workflow>;
}

/** Time for a change with its repetitions, unless the request has less. */
const MAX_CHANGE_MS = 25_000;

/** Time left for the request when a change gives up. */
const ANSWER_MS = 500;

/** Maximum pause before the change is repeated, in milliseconds. */
const MAX_PAUSE_MS = 200;

/** Order of the changes in this process. */
export interface ChangeTurns {
  /** Does the work once earlier work with the same key is done, or after a while; nothing depends on it. */
  readonly takeTurn: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  /** Milliseconds left for the running request, at most the limit. */
  readonly remainingMs: (limitMs: number) => number;
}

/** Attempts of a write whose route is taken and free again by turns. */
const MAX_ROUTE_ATTEMPTS = 4;

/** A workflow that the user may change. @throws WorkflowNotFound, NotYourWorkflow */
export const loadForUpdate = async (
  store: Pick<SeenWorkflows, 'find'>,
  id: string,
  user: Principal,
): Promise<Workflow> => {
  const workflow = await store.find(id);
  if (workflow === undefined) throw new WorkflowNotFound(id);
  if (!mayChange(user, workflow.ownerId)) throw new NotYourWorkflow(id);
  return workflow;
};

/**
 * Repeats a write until it is done or stale. A refused route is looked up to name its holder; if the holder released it
 * in between, the write is repeated.
 * @throws WebhookPathTaken; Unavailable if the route changes hands faster than it can be looked up
 */
export const writeRoutes = async <Outcome extends WriteOutcome>(
  store: Pick<WorkflowStore, 'findListeners'>,
  workflowId: string,
  activation: Activation | undefined,
  write: () => Promise<Outcome>,
): Promise<Exclude<Outcome, 'route-taken'>> => {
  const routes = activation?.routes ?? [];
  const isAccepted = (outcome: Outcome): outcome is Exclude<Outcome, 'route-taken'> => outcome !== 'route-taken';
  for (let attempt = 1; attempt <= MAX_ROUTE_ATTEMPTS; attempt += 1) {
    const outcome = await write();
    if (isAccepted(outcome)) return outcome;
    for (const holder of await store.findListeners(routes.map((route) => route.key))) {
      const taken = routes.find((route) => holder.routes.some((held) => held.key === route.key));
      if (taken !== undefined && holder.workflowId !== workflowId) throw new WebhookPathTaken(taken, holder.workflowId);
    }
  }
  throw new Unavailable('A webhook address of this workflow is changing hands. Try again.');
};

/** Changes of other replicas do not wait for turns here: a random pause, longer each time, lets one of them through. */
const pause = (attempt: number): Promise<void> => sleep(Math.random() * Math.min(2 ** attempt, MAX_PAUSE_MS));

/** True if what is stored is what was to be written. A deletion is never: nothing is found then. */
const isStored = (tried: Workflow, seen: Workflow): boolean =>
  tried.deletedAt === undefined &&
  seen.versionId === tried.versionId &&
  seen.activation?.id === tried.activation?.id &&
  seen.updatedAt.getTime() === tried.updatedAt.getTime();

/** Repeats the change until it is stored as it was seen, or until `end` (Unix milliseconds). */
const changeUntil = async (
  end: number,
  store: SeenWorkflows,
  { workflowId, user, change }: WorkflowChange,
): Promise<Workflow> => {
  let tried: Workflow | undefined;
  for (let attempt = 0; Date.now() < end; attempt += 1) {
    if (attempt > 0) await pause(attempt);
    const seen = await loadForUpdate(store, workflowId, user);
    // A write that was repeated after a transient error may turn out to have succeeded: that is not another's change.
    if (tried !== undefined && isStored(tried, seen)) return seen;
    const changed = await change(seen);
    if (changed === seen) return seen;
    const next = withRelease(seen, changed, new Date());
    const outcome = await writeRoutes(store, workflowId, next.activation, () => store.update(seen, next));
    if (outcome === 'done') return next;
    tried = next;
  }
  throw new WorkflowBusy(workflowId);
};

/**
 * Changes a workflow by one compare-and-set, and returns when no gateway uses the routes that it released any more.
 * @returns the stored workflow
 * @throws WorkflowNotFound, NotYourWorkflow, WebhookPathTaken, errors of `change`; WorkflowBusy if it does not get its
 * turn before the deadline of the request
 */
export type ChangeWorkflow = (change: WorkflowChange) => Promise<Workflow>;

/**
 * Changes workflows of a store. Concurrent changes of one workflow take turns within this process, in the order in
 * which they came: each would otherwise make all others read and write again.
 */
export const createChangeWorkflow = (store: SeenWorkflows, { takeTurn, remainingMs }: ChangeTurns): ChangeWorkflow =>
  async function changeWorkflow(change) {
    const end = Date.now() + remainingMs(MAX_CHANGE_MS) - ANSWER_MS;
    const workflow = await takeTurn(change.workflowId, () => changeUntil(end, store, change));
    await untilLeasesEnd(workflow);
    return workflow;
  };
