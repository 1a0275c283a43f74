import type { Principal } from '@weft/service-kit/auth';
import { changeWorkflow } from './change-workflow';
import type { WorkflowStore } from './ports';
import { withActivation } from './workflow';

/**
 * Deletes a workflow: it starts no more from this moment on. Its versions stay, since executions may refer to them.
 * @throws WorkflowNotFound, also when it is deleted already; NotYourWorkflow
 */
export type DeleteWorkflow = (id: string, user: Principal) => Promise<void>;

/** Deletes by leaving a tombstone. */
export const createDeleteWorkflow = (workflows: WorkflowStore): DeleteWorkflow => async (id, user) => {
  await changeWorkflow(workflows, {
    workflowId: id,
    user,
    change: (seen) => ({ ...withActivation(seen, undefined), deletedAt: new Date() }),
  });
};
