import type { Workflow as WorkflowMessage } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { makeActivation } from './make-activation';
import { makeVersion } from './make-version';
import { parseDefinition } from './parse-definition';
import type { VersionStore, WorkflowStore } from './ports';
import { storeVersion } from './store-version';
import { toWorkflowMessage } from './view-workflow';
import { withActivation, type Workflow } from './workflow';
import { writeRoutes } from './write-routes';

/** Stores a workflow of the user's; with `active` it is activated, or nothing is stored. */
export type CreateWorkflow = (definition: Buffer, active: boolean, user: Principal) => Promise<WorkflowMessage>;

/** What creating needs. */
export interface CreateWorkflowPorts {
  readonly workflows: WorkflowStore;
  readonly versions: VersionStore;
  readonly defaultTimezone: string;
}

/** Stores the version first, then the workflow with its routes and schedules in one write. */
export const createCreateWorkflow =
  ({ workflows, versions, defaultTimezone }: CreateWorkflowPorts): CreateWorkflow =>
  async (definition, active, user) => {
    const now = new Date();
    const id = uuidv7();
    const parsed = parseDefinition(definition);
    const version = makeVersion(parsed, { workflowId: id, ownerId: user.userId }, now);
    const activation = active ? makeActivation(version, parsed.value, { now, defaultTimezone }) : undefined;
    const stored = Buffer.from(version.definition);
    const created: Workflow = {
      id,
      name: parsed.name,
      ownerId: user.userId,
      active: false,
      versionId: version.id,
      definitionBytes: stored.length,
      createdAt: now,
      updatedAt: now,
    };
    const workflow = withActivation(created, activation);
    await storeVersion(versions, version, () =>
      writeRoutes(workflows, id, activation, () => workflows.insert(workflow)),
    );
    return toWorkflowMessage(workflow, stored);
  };
