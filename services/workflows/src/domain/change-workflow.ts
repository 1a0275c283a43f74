import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Unavailable } from '@weft/service-kit/errors';
import { NotYourWorkflow, WebhookPathTaken, WorkflowNotFound } from './errors';
import type { WorkflowStore, WriteOutcome } from './ports';
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

/** Attempts of a change that others overtake. */
const MAX_CHANGE_ATTEMPTS = 10;

/** Attempts of a write whose route is taken and free again by turns. */
const MAX_ROUTE_ATTEMPTS = 4;

/** A workflow that the user may change. @throws WorkflowNotFound, NotYourWorkflow */
export const loadForUpdate = async (
  store: Pick<WorkflowStore, 'find'>,
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

/**
 * Changes a workflow by one compare-and-set.
 * @returns the stored workflow
 * @throws WorkflowNotFound, NotYourWorkflow, WebhookPathTaken, errors of `change`; Unavailable if others change it all
 * the time
 */
export const changeWorkflow = async (
  store: WorkflowStore,
  { workflowId, user, change }: WorkflowChange,
): Promise<Workflow> => {
  let tried: Workflow | undefined;
  for (let attempt = 1; attempt <= MAX_CHANGE_ATTEMPTS; attempt += 1) {
    const seen = await loadForUpdate(store, workflowId, user);
    // A write that was repeated after a transient error may turn out to have succeeded: that is not another's change.
    if (tried !== undefined && seen.versionId === tried.versionId && seen.activation?.id === tried.activation?.id)
      return tried;
    const next = await change(seen);
    if (next === seen) return seen;
    const outcome = await writeRoutes(store, workflowId, next.activation, () => store.update(seen, next));
    if (outcome === 'done') return next;
    tried = next;
  }
  throw new Unavailable('The workflow is being changed by others. Try again.');
};
