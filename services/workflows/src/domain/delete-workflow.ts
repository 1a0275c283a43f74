import type { Principal } from '@weft/service-kit/auth';
import { changeWorkflow } from './change-workflow';
import type { WorkflowStore } from './ports';
import type { StateStore } from './state/state';
import { withActivation } from './workflow';

/**
 * Deletes a workflow: it starts no more from this moment on. Its versions stay, since executions may refer to them;
 * what its nodes kept between runs goes.
 * @throws WorkflowNotFound, also when it is deleted already; NotYourWorkflow
 */
export type DeleteWorkflow = (id: string, user: Principal) => Promise<void>;

/** Deletes by leaving a tombstone. */
export const createDeleteWorkflow = (workflows: WorkflowStore, state: Pick<StateStore, 'removeAll'>): DeleteWorkflow => async (id, user) => {
  await changeWorkflow(workflows, {
    workflowId: id,
    user,
    change: (seen) => ({ ...withActivation(seen, undefined), deletedAt: new Date() }),
  });
  await state.removeAll(id);
};
