import { MAX_FIELD_ERRORS } from '@weft/node-catalogue';
import type { Workflow as WorkflowMessage } from '@weft/proto/workflows';
import type { Principal } from '@weft/service-kit/auth';
import { InternalError, type FieldError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { createChangeWorkflow, loadOwned, type ChangeWorkflow, type SerialChanges } from './change-workflow';
import type { ChooseOwner } from '@weft/service-kit/ownership';
import { WorkflowNotFound } from '../errors';
import { checkCondition, type WriteCondition } from './etag';
import {
  refuseLackedCredentials,
  type ExamineDefinition,
  type ExaminedDefinition,
} from '../definitions/examine-definition';
import type { StoreWithHooks } from '../hooks/store-with-hooks';
import { firstActivation, insertNew, orInactive, type FirstActivation } from './first-activation';
import { makeActivation } from './make-activation';
import { afterRelink, afterWrite, checkManagement, type ManagementChange } from './management';
import { mcpToolOf } from '../definitions/mcp-tool';
import { outlineOf } from '../definitions/outline';
import type { ParkedCalls, ParkedChoice } from '../deliveries/park-deliveries';
import { parseDefinition } from '../definitions/parse-definition';
import type { VersionStore } from '../ports';
import type { ScopedWorkflows } from '../scoped-stores';
import { toWorkflowMessage, viewOne, type ViewWorkflows } from './read-workflows';
import { parseStored, readCompleted } from '../definitions/type-version-defaults';
import { fromNow, RETIRED_RETENTION_MS } from '../versions/version-retention';
import { makeVersion, relinkedVersion, storeVersion } from '../versions/versions';
import { withActivation, type DefinitionJson, type Version, type Workflow } from './workflow';

export interface Replacement extends WriteCondition, ManagementChange {
  readonly workflowId: string;
  readonly definition: Buffer;
}

export interface NewWorkflow extends ManagementChange {
  readonly definition: Buffer;
  readonly active: boolean;
  /** Owner: a project or user; undefined: the creating user. */
  readonly projectId: string | undefined;
  /** Its id; undefined: a new one. */
  readonly id?: string | undefined;
}

/** A written workflow, with warnings about its definition that do not keep it from running. */
export interface WrittenWorkflow {
  readonly workflow: WorkflowMessage;
  readonly warnings: FieldError[];
}

/** Use cases that write workflows. */
export interface WorkflowWrites {
  /**
   * Stores a workflow; with `active` it is activated if it can run, and a warning says why if it cannot.
   * @throws InvalidRequest, Forbidden, CredentialNotGranted, ProjectNotFound; WebhookPathTaken, WorkflowKeyTaken, with
   * nothing stored
   */
  readonly createWorkflow: (created: NewWorkflow, user: Principal) => Promise<WrittenWorkflow>;
  /**
   * Gives a workflow a new definition. It stays active or inactive: the new version is live immediately, or nothing is
   * stored.
   * @throws WorkflowNotFound, NotYourWorkflow, VersionConflict, InvalidRequest, CredentialNotGranted,
   * WorkflowNotRunnable, WebhookPathTaken, WorkflowKeyTaken
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
   * Adds the routes and schedules of the current version, and runs or drops its parked calls if chosen. Repeating it
   * changes nothing.
   * @throws WorkflowNotFound, NotYourWorkflow, VersionConflict, CredentialNotGranted, WorkflowNotRunnable,
   * WebhookPathTaken
   */
  readonly activateWorkflow: (
    id: string,
    condition: WriteCondition,
    user: Principal,
    choice?: ParkedChoice,
  ) => Promise<WrittenWorkflow>;
  /**
   * Removes routes and schedules, and parks stored calls: none starts after this. Repeating it changes nothing.
   * @throws WorkflowNotFound, NotYourWorkflow, VersionConflict
   */
  readonly deactivateWorkflow: (id: string, condition: WriteCondition, user: Principal) => Promise<WorkflowMessage>;
}

export interface WorkflowWriteDeps {
  readonly serial: SerialChanges;
  readonly workflows: ScopedWorkflows;
  readonly versions: VersionStore;
  /** Stores of data that is removed together with a workflow. */
  readonly belongings: readonly { readonly removeAll: (workflowId: string) => Promise<void> }[];
  readonly view: ViewWorkflows;
  readonly defaultTimezone: string;
  readonly chooseOwner: ChooseOwner;
  readonly examineDefinition: ExamineDefinition;
  readonly parkedCalls: ParkedCalls;
  readonly storeWithHooks: StoreWithHooks;
}

const versionOf = async (versions: VersionStore, id: string): Promise<Version> => {
  const [version] = await versions.find([id]);
  if (version === undefined) throw new InternalError(new Error(`Version ${id} is not in the store.`));
  return version;
};

/** Stores the version first, then the workflow with its routes and schedules in one write. */
const create = async (
  { workflows, versions, defaultTimezone, chooseOwner, examineDefinition, storeWithHooks }: WorkflowWriteDeps,
  { definition, active, projectId, id = uuidv7(), ...management }: NewWorkflow,
  user: Principal,
): Promise<WrittenWorkflow> => {
  checkManagement(management, true);
  const parsed = await parseDefinition(definition, user.userId);
  const ownerId = await chooseOwner(user, projectId);
  const now = new Date();
  const examined = await examineDefinition(parsed, { ownerId, workflowId: '' });
  refuseLackedCredentials(examined);
  const version = makeVersion(examined, { workflowId: id, ownerId }, now);
  const { activation, reasons }: FirstActivation = active
    ? firstActivation(() => makeActivation(version, examined.value, { now, defaultTimezone, isNew: true }))
    : { reasons: [] };
  const stored = Buffer.from(version.definition);
  const created: Workflow = {
    id,
    name: parsed.name,
    ownerId,
    active: false,
    versionId: version.id,
    definitionBytes: stored.length,
    ...hashOf(version),
    ...toolOf(examined.value),
    ...outlined(examined.value, version),
    ...afterWrite({}, management, version),
    createdAt: now,
    updatedAt: now,
  };
  const workflow = withActivation(created, activation);
  const refused = await storeVersion(versions, version, () => insertNew(workflows, storeWithHooks, workflow)).catch(
    (error: unknown) => {
      throw orInactive(error);
    },
  );
  const warnings = [...reasons, ...(refused?.reasons ?? []), ...examined.warnings].slice(0, MAX_FIELD_ERRORS);
  return { workflow: toWorkflowMessage(refused?.workflow ?? workflow, stored), warnings };
};

const hashOf = ({ hash }: Version): Pick<Workflow, 'definitionHash'> =>
  hash === undefined ? {} : { definitionHash: hash };

const toolOf = (definition: DefinitionJson): Pick<Workflow, 'mcpTool'> => {
  const mcpTool = mcpToolOf(definition);
  return mcpTool === undefined ? {} : { mcpTool };
};

const outlined = (definition: DefinitionJson, version: Version): Pick<Workflow, 'outline'> => ({
  outline: outlineOf(readCompleted(definition, version)),
});

interface NewVersion {
  readonly management: ManagementChange;
  readonly version: Version;
  readonly examined: ExaminedDefinition;
  readonly bytes: number;
}

const withVersion = (
  seen: Workflow,
  { management, version, examined, bytes }: NewVersion,
  defaultTimezone: string,
): Workflow => {
  const now = new Date();
  const { key: _key, managed: _managed, definitionHash: _hash, mcpTool: _tool, ...kept } = seen;
  const previous = seen.activation;
  const activation =
    previous === undefined ? undefined : makeActivation(version, examined.value, { now, defaultTimezone, previous });
  return {
    ...withActivation(kept, activation),
    ...hashOf(version),
    ...toolOf(examined.value),
    ...outlined(examined.value, version),
    ...afterWrite(seen, management, version),
    name: examined.name,
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
  { workflows, versions, defaultTimezone, changeWorkflow, examineDefinition }: ChangeDeps,
  { workflowId, definition, key, management, ...condition }: Replacement,
  user: Principal,
): Promise<WrittenWorkflow> => {
  const change = { key, management };
  checkManagement(change, false);
  const before = await loadOwned(workflows, workflowId, user);
  checkCondition(before, condition);
  const parsed = await parseDefinition(definition, user.userId);
  const examined = await examineDefinition(parsed, { ownerId: before.ownerId, workflowId });
  refuseLackedCredentials(examined);
  const version = makeVersion(examined, { workflowId, ownerId: before.ownerId }, new Date());
  const stored = Buffer.from(version.definition);
  const next = { management: change, version, examined, bytes: stored.length };
  // Refuse a version that cannot be activated before anything is written.
  withVersion(before, next, defaultTimezone);
  const apply = async (seen: Workflow): Promise<Workflow> => {
    checkCondition(seen, condition);
    // Before the compare-and-set, so that every retired version gets a review; the review skips it if it is still
    // current.
    await versions.review(seen.versionId, fromNow(RETIRED_RETENTION_MS));
    return withVersion(seen, next, defaultTimezone);
  };
  const workflow = await storeVersion(versions, version, () => changeWorkflow({ workflowId, user, change: apply }));
  return { workflow: toWorkflowMessage(workflow, stored), warnings: [...examined.warnings] };
};

/** The current version of a workflow, examined. */
interface Relinked {
  readonly stored: Version;
  /** With another id if credentials can be linked that could not before, or an app has changed; else the stored one. */
  readonly linked: Version;
  /** The definition of `linked`. */
  readonly examined: ExaminedDefinition;
}

const relink = async (
  { versions, examineDefinition }: ChangeDeps,
  { id, versionId, ownerId, name }: Workflow,
): Promise<Relinked> => {
  const stored = await versionOf(versions, versionId);
  const { definition: text, typeVersions } = stored;
  const parsed = { name, value: parseStored(stored), text };
  const examined = await examineDefinition(parsed, { ownerId, workflowId: id, typeVersions });
  return { stored, linked: relinkedVersion(stored, examined, new Date()), examined };
};

/**
 * Activates the current version. If credentials of an imported workflow exist by now, or its apps have other revisions,
 * a version with them becomes the current one.
 */
const activate = async (
  deps: ChangeDeps,
  workflowId: string,
  condition: WriteCondition,
  user: Principal,
): Promise<WrittenWorkflow> => {
  const { workflows, versions, view, defaultTimezone, changeWorkflow } = deps;
  const before = await loadOwned(workflows, workflowId, user);
  checkCondition(before, condition);
  const first = await relink(deps, before);
  const isUnchanged = ({ versionId, ownerId }: Workflow): boolean =>
    versionId === before.versionId && ownerId === before.ownerId;
  const change = async (seen: Workflow): Promise<Workflow> => {
    checkCondition(seen, condition);
    if (seen.activation !== undefined) return seen;
    const now = new Date();
    // A version with linked credentials is stored only for the workflow as it was read first.
    const isFirst = isUnchanged(seen);
    const { stored, linked, examined } = isFirst ? first : await relink(deps, seen);
    const version = isFirst ? linked : stored;
    const value = version === linked ? examined.value : parseStored(version);
    const activation = makeActivation(version, value, { now, defaultTimezone });
    // Its owner, and the grants, may have changed since it was saved.
    refuseLackedCredentials(examined);
    const { mcpTool: _tool, ...kept } = withActivation(seen, activation);
    // A release without tools may have stored it.
    const active = { ...kept, ...toolOf(value), ...outlined(value, version), updatedAt: now };
    if (version.id === seen.versionId) return active;
    await versions.review(seen.versionId, fromNow(RETIRED_RETENTION_MS));
    return {
      ...active,
      ...hashOf(version),
      ...afterRelink(seen, version.id),
      versionId: version.id,
      definitionBytes: Buffer.byteLength(version.definition),
    };
  };
  const write = () => changeWorkflow({ workflowId, user, change });
  const isRelinked = first.linked.id !== before.versionId && before.activation === undefined;
  const changed = isRelinked ? await storeVersion(versions, first.linked, write) : await write();
  const isExamined = changed.versionId === before.versionId || changed.versionId === first.linked.id;
  const { warnings } = isExamined ? first.examined : (await relink(deps, changed)).examined;
  return { workflow: await viewOne(view, changed), warnings: [...warnings] };
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
      const { key: _key, managed: _managed, ...kept } = seen;
      return { ...withActivation(kept, undefined), deletedAt: new Date() };
    },
  });

export const workflowWrites = (given: WorkflowWriteDeps): WorkflowWrites => {
  const { belongings, view, parkedCalls } = given;
  const removeBelongings = async (id: string): Promise<void> => {
    await Promise.all(belongings.map((store) => store.removeAll(id)));
  };
  const changeWorkflow = createChangeWorkflow(given, given.serial);
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
    activateWorkflow: async (id, condition, user, choice) => {
      const { workflow, warnings } = await activate(deps, id, condition, user);
      const parked = await parkedCalls.settle(id, choice);
      return { workflow, warnings: [...parked, ...warnings].slice(0, MAX_FIELD_ERRORS) };
    },
    deactivateWorkflow: async (id, condition, user) => {
      const change = (seen: Workflow): Workflow => {
        checkCondition(seen, condition);
        return seen.active ? { ...withActivation(seen, undefined), updatedAt: new Date() } : seen;
      };
      const workflow = await changeWorkflow({ workflowId: id, user, change });
      await parkedCalls.park(id);
      return viewOne(view, workflow);
    },
  };
};
