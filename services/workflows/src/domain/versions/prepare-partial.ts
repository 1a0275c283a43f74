import type { PreparedStart, RunPlan } from '@weft/proto/workflows';
import { InternalError, ServiceError } from '@weft/service-kit/errors';
import { keyOfPins } from '../apps/pin-apps';
import { WorkflowNotRunnable } from '../errors';
import { refuseLackedCredentials, type ExamineDefinition } from '../definitions/examine-definition';
import { storeInlineDefinition } from '../definitions/inline-definition';
import { parseDefinition } from '../definitions/parse-definition';
import { planPartialRun, type PlanRequest } from './plan-partial-run';
import { planStart } from './plan-start';
import type { VersionStore, WorkflowHead } from '../ports';
import { readVersion } from '../definitions/type-version-defaults';
import { factsOf } from './version-facts';
import type { Version } from '../workflows/workflow';

/** A start by a user of a definition that is not stored, or of some nodes. */
export interface PartialRequest {
  readonly startNode: string;
  readonly userId: string;
  /** Absent: the stored definition. */
  readonly definition?: Buffer;
  readonly usePinData?: boolean;
  readonly plan: PlanRequest;
}

export interface PartialDeps {
  readonly versions: Pick<VersionStore, 'find' | 'insert' | 'recordUse'>;
  readonly examineDefinition: ExamineDefinition;
}

/** A version of a workflow that the workflow, or a start, refers to. */
export const findVersion = async (
  id: string,
  { id: workflowId }: Pick<WorkflowHead, 'id'>,
  versions: Pick<PartialDeps['versions'], 'find'>,
): Promise<Version> => {
  const [version] = await versions.find([id]);
  if (version?.workflowId !== workflowId) throw new InternalError(new Error(`Version ${id} is not in the store.`));
  return version;
};

/**
 * Stores a user's definition like one of a sub-workflow, after the checks of a definition that is saved: it runs with
 * the same rights. @throws InvalidRequest, PayloadTooLarge, CredentialNotGranted
 */
export const storeDraft = async (
  definition: Buffer,
  userId: string,
  head: WorkflowHead,
  { versions, examineDefinition }: PartialDeps,
): Promise<string> => {
  const parsed = await parseDefinition(definition, userId);
  const examined = await examineDefinition(parsed, { ownerId: head.ownerId, workflowId: head.id });
  refuseLackedCredentials(examined);
  const apps = { key: keyOfPins(examined.apps), pin: () => Promise.resolve(examined.apps) };
  return storeInlineDefinition(Buffer.from(examined.text), head, apps, versions);
};

const ALL: RunPlan = {
  run: [],
  reused: [],
  pinned: [],
  pinnedEntries: [],
  missing: [],
  hasEntry: true,
  runsAll: true,
};

const plan = async (
  { plan: { destinationNode, previous }, startNode, usePinData = false }: PartialRequest,
  version: Version,
  head: WorkflowHead,
  versions: PartialDeps['versions'],
): Promise<Pick<PreparedStart, 'startNode' | 'plan'> | ServiceError> => {
  const definition = readVersion(version);
  const workflowId = head.id;
  if (destinationNode === '' && previous === undefined) {
    const planned = planStart(factsOf(definition, version.definition.length), { startNode, usePinData });
    return 'errors' in planned
      ? new WorkflowNotRunnable(workflowId, planned.errors)
      : { startNode: planned.startNode, plan: ALL };
  }
  const start = { workflowId, startNode, destinationNode, usePinData };
  if (previous === undefined) return planPartialRun(definition, start);
  const ran = readVersion(await findVersion(previous.versionId, head, versions));
  return planPartialRun(definition, { ...start, previous: { ...previous, definition: ran } });
};

/** Prepares a start of a definition that is not stored, or of some nodes. @throws as storeDraft; Unavailable */
export const preparePartial = async (
  request: PartialRequest,
  head: WorkflowHead,
  deps: PartialDeps,
): Promise<PreparedStart | ServiceError> => {
  const { definition, userId } = request;
  const versionId = definition === undefined ? head.versionId : await storeDraft(definition, userId, head, deps);
  const planned = await plan(request, await findVersion(versionId, head, deps.versions), head, deps.versions);
  return planned instanceof ServiceError ? planned : { versionId, ownerId: head.ownerId, ...planned };
};
