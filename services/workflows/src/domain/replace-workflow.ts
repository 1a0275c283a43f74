import type { Principal } from '@weft/service-kit/auth';
import { changeWorkflow } from './change-workflow';
import { VersionConflict } from './errors';
import { makeActivation } from './make-activation';
import { makeVersion } from './make-version';
import type { VersionStore, WorkflowStore } from './ports';
import { storeVersion } from './store-version';
import { takeApartDefinition } from './take-apart-definition';
import { changeable } from './changeable';
import { fromNow, RETIRED_KEPT_MS } from './version-retention';
import { withActivation, type DefinitionParts, type Version, type Workflow, type WorkflowView } from './workflow';

/** What a replacement asks for. */
export interface Replacement {
  readonly workflowId: string;
  readonly parts: DefinitionParts;
  /** The version that must be the current one; undefined: any. */
  readonly ifVersionId: string | undefined;
}

/**
 * Gives a workflow a new definition. It stays as active as it was: the new version is live at once, or nothing is
 * stored.
 * @throws WorkflowNotFound, NotYourWorkflow, VersionConflict, InvalidRequest, WorkflowNotRunnable, WebhookPathTaken
 */
export type ReplaceWorkflow = (replacement: Replacement, user: Principal) => Promise<WorkflowView>;

/** What replacing needs. */
export interface ReplaceWorkflowPorts {
  readonly workflows: WorkflowStore;
  readonly versions: VersionStore;
  readonly defaultTimezone: string;
}

const replaced = (seen: Workflow, version: Version, name: string, defaultTimezone: string): Workflow => {
  const now = new Date();
  const previous = seen.activation;
  const activation = previous === undefined ? undefined : makeActivation(version, { now, defaultTimezone, previous });
  return {
    ...withActivation(seen, activation),
    name,
    versionId: version.id,
    definitionBytes: Buffer.byteLength(version.text),
    updatedAt: now,
  };
};

const checkVersion = (seen: Workflow, ifVersionId: string | undefined): void => {
  if (ifVersionId !== undefined && ifVersionId !== seen.versionId) throw new VersionConflict(seen.id, seen.versionId);
};

/** Stores the new version first, then turns the workflow to it by one compare-and-set. */
export const createReplaceWorkflow =
  ({ workflows, versions, defaultTimezone }: ReplaceWorkflowPorts): ReplaceWorkflow =>
  async ({ workflowId, parts, ifVersionId }, user) => {
    const before = changeable(await workflows.find(workflowId), workflowId, user);
    checkVersion(before, ifVersionId);
    const version = makeVersion(parts, { workflowId, ownerId: before.ownerId }, new Date());
    // Refuses what cannot be activated before anything is written.
    replaced(before, version, parts.name, defaultTimezone);
    const change = async (seen: Workflow): Promise<Workflow> => {
      checkVersion(seen, ifVersionId);
      // Before the workflow turns from it, so that no version is forgotten; the review leaves it alone if it is still
      // the current one.
      await versions.review(seen.versionId, fromNow(RETIRED_KEPT_MS));
      return replaced(seen, version, parts.name, defaultTimezone);
    };
    const workflow = await storeVersion(versions, version, () =>
      changeWorkflow(workflows, { workflowId, user, change }),
    );
    return { workflow, parts: takeApartDefinition(version.text) };
  };
