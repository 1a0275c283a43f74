import type { Principal } from '@weft/service-kit/auth';
import { changeWorkflow } from './change-workflow';
import { WorkflowNotFound } from './errors';
import type { VersionStore, WorkflowStore } from './ports';
import type { StateStore } from './persistent-state';
import { fromNow, RETIRED_KEPT_MS } from './version-retention';
import { withActivation } from './workflow';

/**
 * Deletes a workflow: it starts no more from this moment on. Its versions stay as long as
 * executions need them; what its nodes kept between runs goes.
 * @throws WorkflowNotFound, also when it is deleted already; NotYourWorkflow
 */
export type DeleteWorkflow = (id: string, user: Principal) => Promise<void>;

/**
 * Deletes by leaving a tombstone. If what its nodes kept could not be removed after that, deleting it again removes it:
 * what no workflow has is of use to nobody.
 */
export const createDeleteWorkflow =
  (
    workflows: WorkflowStore,
    versions: Pick<VersionStore, 'review'>,
    state: Pick<StateStore, 'removeAll'>,
  ): DeleteWorkflow =>
  async (id, user) => {
    try {
      await changeWorkflow(workflows, {
        workflowId: id,
        user,
        change: async (seen) => {
          await versions.review(seen.versionId, fromNow(RETIRED_KEPT_MS));
          return { ...withActivation(seen, undefined), deletedAt: new Date() };
        },
      });
    } catch (error) {
      if (error instanceof WorkflowNotFound) await state.removeAll(id);
      throw error;
    }
    await state.removeAll(id);
  };
