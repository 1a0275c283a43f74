import type { StartPurpose } from '@weft/nodes/descriptors';
import type { PreparedStart } from '@weft/proto/workflows';
import { isPermitted, mayChange, roleOf } from '@weft/service-kit/auth';
import { Forbidden, InternalError, type ServiceError, toServiceError } from '@weft/service-kit/errors';
import type { AppPins } from '../apps/pin-apps';
import type { DerivedVersions } from './derived-versions';
import { NotYourWorkflow, WorkflowNotFound, WorkflowNotRunnable } from '../errors';
import { storeInlineDefinition } from '../definitions/inline-definition';
import type { VersionStore, WorkflowHead, WorkflowStore } from '../ports';
import { preparePartial, type PartialDeps } from './prepare-partial';
import type { PlanRequest } from './plan-partial-run';
import { planStart } from './plan-start';
import type { VersionFacts } from './version-facts';

/** A request to start a workflow. */
export interface StartRequest {
  readonly workflowId: string;
  /** Empty: the workflow's own start node. */
  readonly startNode: string;
  /** The user for whom it is started; empty: a service starts it for itself. */
  readonly userId: string;
  /** Role of that user. */
  readonly role: string;
  /** Projects that this user may change. */
  readonly projectIds: readonly string[];
  /** Purpose of a start by a service. Determines the start node if none is given. */
  readonly purpose?: StartPurpose;
  /** Inline definition, a JSON object: runs instead of the stored one. */
  readonly definition?: Buffer;
  /** Nodes with pinned data do not run. */
  readonly usePinData?: boolean;
  /** Plans a run of some nodes, or of a definition that the user could store. */
  readonly plan?: PlanRequest;
}

/**
 * Resolves each request to a version, owner and start node, or to an error: WorkflowNotFound, Forbidden,
 * WorkflowNotRunnable, CredentialNotGranted.
 */
export type PrepareStarts = (requests: readonly StartRequest[]) => Promise<(PreparedStart | ServiceError)[]>;

const refusalOf = (params: StartRequest, head: WorkflowHead): ServiceError | undefined => {
  if (params.userId === '') return undefined;
  const role = roleOf(params.role);
  if (role === undefined || !isPermitted(role, 'executions:write'))
    return new Forbidden(`The role ${params.role.slice(0, 40)} may not start workflows.`, { workflowId: head.id });
  return mayChange({ userId: params.userId, role, projects: params.projectIds }, head.ownerId)
    ? undefined
    : new NotYourWorkflow(head.id);
};

const prepare = (
  params: StartRequest,
  { id, ownerId }: WorkflowHead,
  versionId: string,
  facts: VersionFacts | undefined,
): PreparedStart | ServiceError => {
  if (facts === undefined) return new InternalError(new Error(`Version ${versionId} is not in the store.`));
  const planned = planStart(facts, params);
  return 'errors' in planned
    ? new WorkflowNotRunnable(id, planned.errors)
    : { versionId, ownerId, startNode: planned.startNode };
};

export interface PrepareStartsDeps extends PartialDeps {
  readonly workflows: Pick<WorkflowStore, 'findHeads'>;
  readonly versions: Pick<VersionStore, 'find' | 'insert' | 'recordUse'>;
  readonly facts: DerivedVersions<VersionFacts>;
  readonly appPins: AppPins;
}

const prepareInline = async (
  params: StartRequest,
  head: WorkflowHead,
  definition: Buffer,
  { versions, facts, appPins }: PrepareStartsDeps,
): Promise<PreparedStart | ServiceError> => {
  const apps = { key: await appPins.epoch(), pin: appPins.pinApps };
  const versionId = await storeInlineDefinition(definition, head, apps, versions);
  return prepare(params, head, versionId, (await facts([versionId])).get(versionId));
};

/** Prepares any number of starts with one query; the facts of versions are cached. */
export const createPrepareStarts = (deps: PrepareStartsDeps): PrepareStarts =>
  async function prepareStarts(requests) {
    const heads = new Map(
      (await deps.workflows.findHeads([...new Set(requests.map((params) => params.workflowId))])).map((head) => [
        head.id,
        head,
      ]),
    );
    const known = await deps.facts([...heads.values()].map((head) => head.versionId));
    const prepareOne = async (params: StartRequest): Promise<PreparedStart | ServiceError> => {
      const head = heads.get(params.workflowId);
      if (head === undefined) return new WorkflowNotFound(params.workflowId);
      const refusal = refusalOf(params, head);
      if (refusal !== undefined) return refusal;
      if (params.plan !== undefined) return preparePartial({ ...params, plan: params.plan }, head, deps);
      return params.definition === undefined
        ? prepare(params, head, head.versionId, known.get(head.versionId))
        : prepareInline(params, head, params.definition, deps);
    };
    // An error of one request does not fail the others.
    return Promise.all(requests.map((params) => prepareOne(params).catch(toServiceError)));
  };
