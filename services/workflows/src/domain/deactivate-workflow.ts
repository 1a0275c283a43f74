import type { Workflow as WorkflowMessage } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { changeWorkflow } from './change-workflow';
import type { WorkflowStore } from './ports';
import { viewOne, type ViewWorkflows } from './view-workflow';
import { withActivation } from './workflow';

/** Withdraws routes and schedules. Repeating it changes nothing. @throws WorkflowNotFound, NotYourWorkflow */
export type DeactivateWorkflow = (id: string, user: Principal) => Promise<WorkflowMessage>;

/** Deactivates by one compare-and-set. */
export const createDeactivateWorkflow =
  (workflows: WorkflowStore, view: ViewWorkflows): DeactivateWorkflow =>
  async (id, user) => {
    const workflow = await changeWorkflow(workflows, {
      workflowId: id,
      user,
      change: (seen) => (seen.active ? { ...withActivation(seen, undefined), updatedAt: new Date() } : seen),
    });
    return viewOne(view, workflow);
  };
