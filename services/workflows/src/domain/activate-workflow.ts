import type { Workflow as WorkflowMessage } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { InternalError } from '@weft/service-kit/errors';
import { changeWorkflow } from './change-workflow';
import { makeActivation } from './make-activation';
import type { VersionStore, WorkflowStore } from './ports';
import { parseStored } from './type-version-defaults';
import { viewOne, type ViewWorkflows } from './view-workflow';
import { withActivation, type Version } from './workflow';

/**
 * Makes the current version start by itself. Repeating it changes nothing.
 * @throws WorkflowNotFound, NotYourWorkflow, WorkflowNotRunnable, WebhookPathTaken
 */
export type ActivateWorkflow = (id: string, user: Principal) => Promise<WorkflowMessage>;

/** What activating needs. */
export interface ActivateWorkflowPorts {
  readonly workflows: WorkflowStore;
  readonly versions: VersionStore;
  readonly view: ViewWorkflows;
  readonly defaultTimezone: string;
}

const versionOf = async (versions: VersionStore, id: string): Promise<Version> => {
  const [version] = await versions.find([id]);
  if (version === undefined) throw new InternalError(new Error(`Version ${id} is not in the store.`));
  return version;
};

/** Activates by one compare-and-set over workflow, routes and schedules. */
export const createActivateWorkflow =
  ({ workflows, versions, view, defaultTimezone }: ActivateWorkflowPorts): ActivateWorkflow =>
  async (id, user) => {
    const workflow = await changeWorkflow(workflows, {
      workflowId: id,
      user,
      change: async (seen) => {
        if (seen.activation !== undefined) return seen;
        const now = new Date();
        const version = await versionOf(versions, seen.versionId);
        const activation = makeActivation(version, parseStored(version), { now, defaultTimezone });
        return { ...withActivation(seen, activation), updatedAt: now };
      },
    });
    return viewOne(view, workflow);
  };
