import type { StartNode, StartPurpose } from '@weft/nodes/descriptors';
import type { PreparedStart } from '@weft/proto/workflows';
import { isPermitted, mayChange, roleOf } from '@weft/service-kit/auth';
import { Forbidden, InternalError, type ServiceError, toServiceError } from '@weft/service-kit/errors';
import type { DerivedVersions } from './derived-versions';
import { NotYourWorkflow, WorkflowNotFound, WorkflowNotRunnable } from './errors';
import { keepGivenVersion } from './given-version';
import type { VersionStore, WorkflowHead, WorkflowStore } from './ports';
import type { VersionFacts } from './version-facts';

/** A workflow that somebody wants to start now. */
export interface StartRequest {
  readonly workflowId: string;
  /** Empty: where the workflow itself says. */
  readonly startNode: string;
  /** On whose behalf; empty: a service's own. */
  readonly userId: string;
  /** Role of that user. */
  readonly role: string;
  /** What for, if no user starts it: decides where it begins if no node is named. */
  readonly purpose?: StartPurpose;
  /** JSON object: what is to run instead of the workflow's own definition. */
  readonly definition?: Buffer;
  /** Nodes with pins do not run. */
  readonly usePinData?: boolean;
}

/**
 * Says for each request what it is pinned to, or why it cannot start: WorkflowNotFound, Forbidden, WorkflowNotRunnable.
 */
export type PrepareStarts = (requests: readonly StartRequest[]) => Promise<(PreparedStart | ServiceError)[]>;

const refusalOf = (params: StartRequest, head: WorkflowHead): ServiceError | undefined => {
  if (params.userId === '') return undefined;
  const role = roleOf(params.role);
  if (role === undefined || !isPermitted(role, 'executions:write'))
    return new Forbidden(`The role ${params.role.slice(0, 40)} may not start workflows.`, { workflowId: head.id });
  return mayChange({ userId: params.userId, role }, head.ownerId) ? undefined : new NotYourWorkflow(head.id);
};

const startError = (start: Exclude<StartNode, { kind: 'found' }>): { field: string; message: string } => {
  switch (start.kind) {
    case 'unknown-node':
      return { field: 'startNode', message: `The workflow has no node called "${start.name.slice(0, 100)}".` };
    case 'disabled-node':
      return { field: 'startNode', message: `The node "${start.name}" is disabled.` };
    case 'no-start-node':
      return {
        field: 'nodes',
        message:
          'The workflow has no node to start at. Add a trigger, for example a manual trigger, or name a start node.',
      };
  }
};

const prepare = (
  params: StartRequest,
  { id, ownerId }: WorkflowHead,
  versionId: string,
  facts: VersionFacts | undefined,
): PreparedStart | ServiceError => {
  if (facts === undefined) return new InternalError(new Error(`Version ${versionId} is not in the store.`));
  const start = facts.startNode(params.startNode === '' ? undefined : params.startNode, params.purpose);
  // A trigger of a kind that is not known is why there is nowhere to start, so it is named first.
  if (start.kind !== 'found')
    return new WorkflowNotRunnable(id, [
      ...(start.kind === 'no-start-node' ? facts.unknownKinds() : []),
      startError(start),
    ]);
  const faults = facts.faultsFrom(start.node.name, params.usePinData === true);
  return faults.length > 0 ? new WorkflowNotRunnable(id, faults) : { versionId, ownerId, startNode: start.node.name };
};

/** What preparing starts needs. */
export interface PrepareStartsPorts {
  readonly workflows: Pick<WorkflowStore, 'findHeads'>;
  readonly versions: Pick<VersionStore, 'insert' | 'keepUsed'>;
  readonly facts: DerivedVersions<VersionFacts>;
}

const prepareGiven = async (
  params: StartRequest,
  head: WorkflowHead,
  definition: Buffer,
  { versions, facts }: PrepareStartsPorts,
): Promise<PreparedStart | ServiceError> => {
  const versionId = await keepGivenVersion(definition, head, versions);
  return prepare(params, head, versionId, (await facts([versionId])).get(versionId));
};

/** One query for any number of requests; what a version allows is worked out once and kept. */
export const createPrepareStarts =
  (ports: PrepareStartsPorts): PrepareStarts =>
  async (requests) => {
    const heads = new Map(
      (await ports.workflows.findHeads([...new Set(requests.map((params) => params.workflowId))])).map((head) => [
        head.id,
        head,
      ]),
    );
    const known = await ports.facts([...heads.values()].map((head) => head.versionId));
    const prepareOne = async (params: StartRequest): Promise<PreparedStart | ServiceError> => {
      const head = heads.get(params.workflowId);
      if (head === undefined) return new WorkflowNotFound(params.workflowId);
      const refusal = refusalOf(params, head);
      if (refusal !== undefined) return refusal;
      return params.definition === undefined
        ? prepare(params, head, head.versionId, known.get(head.versionId))
        : prepareGiven(params, head, params.definition, ports);
    };
    // An error of one request is the answer to that request alone.
    return Promise.all(requests.map((params) => prepareOne(params).catch(toServiceError)));
  };
