import type { Principal } from '@weft/service-kit/auth';
import { uuidv7 } from '@weft/service-kit/ids';
import { makeActivation } from './make-activation';
import { makeVersion } from './make-version';
import type { VersionStore, WorkflowStore } from './ports';
import { storeVersion } from './store-version';
import { takeApartDefinition } from './take-apart-definition';
import { withActivation, type DefinitionParts, type Workflow, type WorkflowView } from './workflow';
import { writeRoutes } from './write-routes';

/** Stores a workflow of the user's; with `active` it is activated, or nothing is stored. */
export type CreateWorkflow = (parts: DefinitionParts, active: boolean, user: Principal) => Promise<WorkflowView>;

/** What creating needs. */
export interface CreateWorkflowPorts {
  readonly workflows: WorkflowStore;
  readonly versions: VersionStore;
  readonly defaultTimezone: string;
}

/** Stores the version first, then the workflow with its routes and schedules in one write. */
export const createCreateWorkflow =
  ({ workflows, versions, defaultTimezone }: CreateWorkflowPorts): CreateWorkflow =>
  async (parts, active, user) => {
    const now = new Date();
    const id = uuidv7();
    const version = makeVersion(parts, { workflowId: id, ownerId: user.userId }, now);
    const activation = active ? makeActivation(version, { now, defaultTimezone }) : undefined;
    const created: Workflow = {
      id,
      name: parts.name,
      ownerId: user.userId,
      active: false,
      versionId: version.id,
      definitionBytes: Buffer.byteLength(version.text),
      createdAt: now,
      updatedAt: now,
    };
    const workflow = withActivation(created, activation);
    await storeVersion(versions, version, () =>
      writeRoutes(workflows, id, activation, () => workflows.insert(workflow)),
    );
    return { workflow, parts: takeApartDefinition(version.text) };
  };
