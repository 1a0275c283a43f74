import type { Principal } from '@weft/service-kit/auth';
import { Unavailable } from '@weft/service-kit/errors';
import type { WorkflowStore } from './ports';
import { requireEditable } from './require-editable';
import type { Workflow } from './workflow';
import { writeRoutes } from './write-routes';

/** What a change looks at and gives. */
export interface WorkflowChange {
  readonly workflowId: string;
  readonly user: Principal;
  /**
   * The workflow after the change; the same object if there is nothing to change. Called again if another change came
   * first.
   */
  readonly change: (seen: Workflow) => Workflow | Promise<Workflow>;
}

/** Changes of one workflow that may come before this one while it is tried. */
const TRIES = 10;

/**
 * Changes a workflow by one compare-and-set, for a user who may.
 * @returns the workflow as it is stored then.
 * @throws WorkflowNotFound, NotYourWorkflow, WebhookPathTaken, what `change` throws; Unavailable if others change it
 * all the time.
 */
export const changeWorkflow = async (
  store: WorkflowStore,
  { workflowId, user, change }: WorkflowChange,
): Promise<Workflow> => {
  let tried: Workflow | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const seen = requireEditable(await store.find(workflowId), workflowId, user);
    // A write that was repeated after a passing fault may find that it had come through: that is no other's change.
    if (tried !== undefined && seen.versionId === tried.versionId && seen.activation?.id === tried.activation?.id)
      return tried;
    const next = await change(seen);
    if (next === seen) return seen;
    const outcome = await writeRoutes(store, workflowId, next.activation, () => store.update(seen, next));
    if (outcome === 'done') return next;
    tried = next;
  }
  throw new Unavailable('This workflow is being changed by others right now. Try again.');
};
