import { readDefinition } from '@weft/node-catalogue';
import { linkWarnings } from '@weft/nodes/descriptors';
import type { Workflow as WorkflowMessage } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { InternalError, type FieldError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { createChangeWorkflow, loadOwned, writeRoutes, type ChangeTurns, type ChangeWorkflow } from './change-workflow';
import type { CheckCredentials } from './check-credentials';
import type { ChooseOwner } from './choose-owner';
import { WorkflowNotFound } from './errors';
import { checkCondition, type WriteCondition } from './etag';
import { makeActivation } from './make-activation';
import { parseDefinition, type ParsedDefinition } from './parse-definition';
import type { VersionStore } from './ports';
import type { ScopedWorkflows } from './scoped-stores';
import { toWorkflowMessage, viewOne, type ViewWorkflows } from './read-workflows';
import { parseStored } from './type-version-defaults';
import { fromNow, RETIRED_RETENTION_MS } from './version-retention';
import { makeVersion, storeVersion } from './versions';
import { withActivation, type DefinitionJson, type Version, type Workflow } from './workflow';

export interface Replacement extends WriteCondition {
  readonly workflowId: string;
  readonly definition: Buffer;
}

export interface NewWorkflow {
  readonly definition: Buffer;
  readonly active: boolean;
  /** Owner: a project or user; undefined: the creating user. */
  readonly projectId: string | undefined;
}

/** A written workflow, with warnings about its definition that do not keep it from running. */
export interface WrittenWorkflow {
  readonly workflow: WorkflowMessage;
  readonly warnings: FieldError[];
}

/** Use cases that write workflows. */
export interface WorkflowWrites {
  /**
   * Stores a workflow; with `active` it is activated, or nothing is stored.
   * @throws InvalidRequest, Forbidden, CredentialNotGranted, ProjectNotFound, WorkflowNotRunnable, WebhookPathTaken
   */
  readonly createWorkflow: (created: NewWorkflow, user: Principal) => Promise<WrittenWorkflow>;
  /**
   * Gives a workflow a new definition. It stays active or inactive: the new version is live immediately, or nothing is
   * stored.
   * @throws WorkflowNotFound, NotYourWorkflow, VersionConflict, InvalidRequest, CredentialNotGranted,
   * WorkflowNotRunnable, WebhookPathTaken
   */
  readonly replaceWorkflow: (replacement: Replacement, user: Principal) => Promise<WrittenWorkflow>;
  /**
   * Deletes a workflow by leaving a tombstone: from now on it does not start. Its versions are retained as long as
   * executions need them; its persistent state and its files are removed. If that fails, a second deletion removes
   * them.
   * @throws WorkflowNotFound, also if it is already deleted; NotYourWorkflow, VersionConflict
   */
  readonly deleteWorkflow: (id: string, condition: WriteCondition, user: Principal) => Promise<void>;
  /**
   * Adds the routes and schedules of the current version. Repeating it changes nothing.
   * @throws WorkflowNotFound, NotYourWorkflow, VersionConflict, CredentialNotGranted, WorkflowNotRunnable,
   * WebhookPathTaken
   */
  readonly activateWorkflow: (id: string, condition: WriteCondition, user: Principal) => Promise<WrittenWorkflow>;
  /**
   * Removes routes and schedules. Repeating it changes nothing.
   * @throws WorkflowNotFound, NotYourWorkflow, VersionConflict
   */
  readonly deactivateWorkflow: (id: string, condition: WriteCondition, user: Principal) => Promise<WorkflowMessage>;
}

export interface WorkflowWriteDeps {
  readonly turns: ChangeTurns;
  readonly workflows: ScopedWorkflows;
  readonly versions: VersionStore;
  /** Stores of data that is removed together with a workflow. */
  readonly belongings: readonly { readonly removeAll: (workflowId: string) => Promise<void> }[];
  readonly view: ViewWorkflows;
  readonly defaultTimezone: string;
  readonly chooseOwner: ChooseOwner;
  readonly checkCredentials: CheckCredentials;
}

const warningsOf = (value: DefinitionJson): FieldError[] =>
  linkWarnings(readDefinition({ ...value })).map(({ field, message }) => ({ field, message }));

const versionOf = async (versions: VersionStore, id: string): Promise<Version> => {
  const [version] = await versions.find([id]);
  if (version === undefined) throw new InternalError(new Error(`Version ${id} is not in the store.`));
  return version;
};

/** Stores the version first, then the workflow with its routes and schedules in one write. */
const create = async (
  { workflows, versions, defaultTimezone, chooseOwner, checkCredentials }: WorkflowWriteDeps,
  { definition, active, projectId }: NewWorkflow,
  user: Principal,
): Promise<WrittenWorkflow> => {
  const parsed = await parseDefinition(definition, user.userId);
  const ownerId = await chooseOwner(user, projectId);
  const now = new Date();
  const id = uuidv7();
  const version = makeVersion(parsed, { workflowId: id, ownerId }, now);
  await checkCredentials(version, parsed.value);
  const activation = active ? makeActivation(version, parsed.value, { now, defaultTimezone, isNew: true }) : undefined;
  const stored = Buffer.from(version.definition);
  const created: Workflow = {
    id,
    name: parsed.name,
    ownerId,
    active: false,
    versionId: version.id,
    definitionBytes: stored.length,
    createdAt: now,
    updatedAt: now,
  };
  const workflow = withActivation(created, activation);
  await storeVersion(versions, version, () =>
    writeRoutes(workflows, {
      next: workflow,
      write: () => workflows.insert(workflow),
      undo: () => workflows.update(workflow, { ...withActivation(workflow, undefined), deletedAt: new Date() }),
    }),
  );
  return { workflow: toWorkflowMessage(workflow, stored), warnings: warningsOf(parsed.value) };
};

interface NewVersion {
  readonly version: Version;
  readonly parsed: ParsedDefinition;
  readonly bytes: number;
}

const withVersion = (seen: Workflow, { version, parsed, bytes }: NewVersion, defaultTimezone: string): Workflow => {
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

interface ChangeDeps extends WorkflowWriteDeps {
  readonly changeWorkflow: ChangeWorkflow;
}

/** Stores the new version first, then makes it current with one compare-and-set. */
const replace = async (
  { workflows, versions, defaultTimezone, changeWorkflow, checkCredentials }: ChangeDeps,
  { workflowId, definition, ...condition }: Replacement,
  user: Principal,
): Promise<WrittenWorkflow> => {
  const before = await loadOwned(workflows, workflowId, user);
  checkCondition(before, condition);
  const parsed = await parseDefinition(definition, user.userId);
  const version = makeVersion(parsed, { workflowId, ownerId: before.ownerId }, new Date());
  const stored = Buffer.from(version.definition);
  const next = { version, parsed, bytes: stored.length };
  await checkCredentials(version, parsed.value);
  // Refuse a version that cannot be activated before anything is written.
  withVersion(before, next, defaultTimezone);
  const change = async (seen: Workflow): Promise<Workflow> => {
    checkCondition(seen, condition);
    // Before the compare-and-set, so that every retired version gets a review; the review skips it if it is still
    // current.
    await versions.review(seen.versionId, fromNow(RETIRED_RETENTION_MS));
    return withVersion(seen, next, defaultTimezone);
  };
  const workflow = await storeVersion(versions, version, () => changeWorkflow({ workflowId, user, change }));
  return { workflow: toWorkflowMessage(workflow, stored), warnings: warningsOf(parsed.value) };
};

const retire = (
  { versions, changeWorkflow }: ChangeDeps,
  workflowId: string,
  condition: WriteCondition,
  user: Principal,
): Promise<Workflow> =>
  changeWorkflow({
    workflowId,
    user,
    change: async (seen) => {
      checkCondition(seen, condition);
      await versions.review(seen.versionId, fromNow(RETIRED_RETENTION_MS));
      return { ...withActivation(seen, undefined), deletedAt: new Date() };
    },
  });

export const workflowWrites = (given: WorkflowWriteDeps): WorkflowWrites => {
  const { versions, belongings, view, defaultTimezone, checkCredentials } = given;
  const removeBelongings = async (id: string): Promise<void> => {
    await Promise.all(belongings.map((store) => store.removeAll(id)));
  };
  const changeWorkflow = createChangeWorkflow(given.workflows, given.turns);
  const deps = { ...given, changeWorkflow };
  return {
    createWorkflow: (created, user) => create(deps, created, user),
    replaceWorkflow: (replacement, user) => replace(deps, replacement, user),
    deleteWorkflow: async (id, condition, user) => {
      try {
        await retire(deps, id, condition, user);
      } catch (error) {
        if (error instanceof WorkflowNotFound) await removeBelongings(id);
        throw error;
      }
      await removeBelongings(id);
    },
    activateWorkflow: async (id, condition, user) => {
      const change = async (seen: Workflow): Promise<Workflow> => {
        checkCondition(seen, condition);
        if (seen.activation !== undefined) return seen;
        const now = new Date();
        const version = await versionOf(versions, seen.versionId);
        const value = parseStored(version);
        const activation = makeActivation(version, value, { now, defaultTimezone });
        // Its owner, and the grants, may have changed since it was saved.
        await checkCredentials({ ...version, ownerId: seen.ownerId }, value);
        return { ...withActivation(seen, activation), updatedAt: now };
      };
      const workflow = await viewOne(view, await changeWorkflow({ workflowId: id, user, change }));
      return { workflow, warnings: warningsOf(parseStored({ definition: workflow.definition.toString('utf8') })) };
    },
    deactivateWorkflow: async (id, condition, user) => {
      const change = (seen: Workflow): Workflow => {
        checkCondition(seen, condition);
        return seen.active ? { ...withActivation(seen, undefined), updatedAt: new Date() } : seen;
      };
      return viewOne(view, await changeWorkflow({ workflowId: id, user, change }));
    },
  };
};
