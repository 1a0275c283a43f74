import type { Principal } from '@weft/service-kit/auth';
import { changeWorkflow } from './change-workflow';
import { WorkflowNotFound } from './errors';
import type { WorkflowStore } from './ports';
import type { StateStore } from './state/state';
import { withActivation } from './workflow';

/**
 * Deletes a workflow: it starts no more from this moment on. Its versions stay, since executions may refer to them;
 * what its nodes kept between runs goes.
 * @throws WorkflowNotFound, also when it is deleted already; NotYourWorkflow
 */
export type DeleteWorkflow = (id: string, user: Principal) => Promise<void>;

/**
 * Deletes by leaving a tombstone. If what its nodes kept could not be removed after that, deleting it again removes it:
 * what no workflow has is of use to nobody.
 */
export const createDeleteWorkflow = (workflows: WorkflowStore, state: Pick<StateStore, 'removeAll'>): DeleteWorkflow => async (id, user) => {
  try {
    await changeWorkflow(workflows, {
      workflowId: id,
      user,
      change: (seen) => ({ ...withActivation(seen, undefined), deletedAt: new Date() }),
    });
  } catch (error) {
    if (error instanceof WorkflowNotFound) await state.removeAll(id);
    throw error;
  }
  await state.removeAll(id);
};
