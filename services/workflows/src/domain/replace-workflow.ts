import type { Workflow as WorkflowMessage } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { changeWorkflow } from './change-workflow';
import { VersionConflict } from './errors';
import { makeActivation } from './make-activation';
import { makeVersion } from './make-version';
import { parseDefinition, type ParsedDefinition } from './parse-definition';
import type { VersionStore, WorkflowStore } from './ports';
import { storeVersion } from './store-version';
import { requireEditable } from './require-editable';
import { fromNow, RETIRED_KEPT_MS } from './version-retention';
import { toWorkflowMessage } from './view-workflow';
import { withActivation, type Version, type Workflow } from './workflow';

/** What a replacement asks for. */
export interface Replacement {
  readonly workflowId: string;
  readonly definition: Buffer;
  /** The version that must be the current one; undefined: any. */
  readonly ifVersionId: string | undefined;
}

/**
 * Gives a workflow a new definition. It stays as active as it was: the new version is live at once, or nothing is
 * stored.
 * @throws WorkflowNotFound, NotYourWorkflow, VersionConflict, InvalidRequest, WorkflowNotRunnable, WebhookPathTaken
 */
export type ReplaceWorkflow = (replacement: Replacement, user: Principal) => Promise<WorkflowMessage>;

/** What replacing needs. */
export interface ReplaceWorkflowPorts {
  readonly workflows: WorkflowStore;
  readonly versions: VersionStore;
  readonly defaultTimezone: string;
}

interface NewVersion {
  readonly version: Version;
  readonly parsed: ParsedDefinition;
  readonly bytes: number;
}

const replaced = (seen: Workflow, { version, parsed, bytes }: NewVersion, defaultTimezone: string): Workflow => {
  const now = new Date();
  const previous = seen.activation;
  const activation =
    previous === undefined ? undefined : makeActivation(version, parsed.value, { now, defaultTimezone, previous });
  return {
    ...withActivation(seen, activation),
    name: parsed.name,
    versionId: version.id,
    definitionBytes: bytes,
    updatedAt: now,
  };
};

const checkVersion = (seen: Workflow, ifVersionId: string | undefined): void => {
  if (ifVersionId !== undefined && ifVersionId !== seen.versionId) throw new VersionConflict(seen.id, seen.versionId);
};

/** Stores the new version first, then turns the workflow to it by one compare-and-set. */
export const createReplaceWorkflow =
  ({ workflows, versions, defaultTimezone }: ReplaceWorkflowPorts): ReplaceWorkflow =>
  async ({ workflowId, definition, ifVersionId }, user) => {
    const before = requireEditable(await workflows.find(workflowId), workflowId, user);
    checkVersion(before, ifVersionId);
    const parsed = parseDefinition(definition);
    const version = makeVersion(parsed, { workflowId, ownerId: before.ownerId }, new Date());
    const stored = Buffer.from(version.definition);
    const next = { version, parsed, bytes: stored.length };
    // Refuses what cannot be activated before anything is written.
    replaced(before, next, defaultTimezone);
    const change = async (seen: Workflow): Promise<Workflow> => {
      checkVersion(seen, ifVersionId);
      // Before the workflow turns from it, so that no version is forgotten; the review leaves it alone if it is still
      // the current one.
      await versions.review(seen.versionId, fromNow(RETIRED_KEPT_MS));
      return replaced(seen, next, defaultTimezone);
    };
    const workflow = await storeVersion(versions, version, () =>
      changeWorkflow(workflows, { workflowId, user, change }),
    );
    return toWorkflowMessage(workflow, stored);
  };
