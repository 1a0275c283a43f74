import type { StartNode } from '@weft/node-catalogue';
import { isPermitted, mayChange, roleOf } from '@weft/service-kit/auth';
import { Forbidden, InternalError, type ServiceError } from '@weft/service-kit/errors';
import type { DerivedVersions } from './derived-versions';
import { NotYourWorkflow, WorkflowNotFound, WorkflowNotRunnable } from './errors';
import type { WorkflowHead, WorkflowStore } from './ports';
import type { VersionFacts } from './version-facts';

/** A workflow that somebody wants to start now. */
export interface StartWish {
  readonly workflowId: string;
  /** Empty: where the workflow itself says. */
  readonly startNode: string;
  /** On whose behalf; empty: a service's own. */
  readonly userId: string;
  /** Role of that user. */
  readonly role: string;
}

/** What a start is pinned to. */
export interface PreparedStart {
  readonly versionId: string;
  readonly ownerId: string;
  readonly startNode: string;
}

/** Says for each wish what it is pinned to, or why it cannot start: WorkflowNotFound, Forbidden, WorkflowNotRunnable. */
export type PrepareStarts = (wishes: readonly StartWish[]) => Promise<(PreparedStart | ServiceError)[]>;

const refusalOf = (wish: StartWish, head: WorkflowHead): ServiceError | undefined => {
  if (wish.userId === '') return undefined;
  const role = roleOf(wish.role);
  if (role === undefined || !isPermitted(role, 'executions:write')) return new Forbidden(`The role ${wish.role.slice(0, 40)} may not start workflows.`, { workflowId: head.id });
  return mayChange({ userId: wish.userId, role }, head.ownerId) ? undefined : new NotYourWorkflow(head.id);
};

const startFault = (start: Exclude<StartNode, { kind: 'found' }>): { field: string; description: string } => {
  switch (start.kind) {
    case 'unknown-node': return { field: 'startNode', description: `The workflow has no node called "${start.name.slice(0, 100)}".` };
    case 'disabled-node': return { field: 'startNode', description: `The node "${start.name}" is disabled.` };
    case 'no-start-node': return { field: 'nodes', description: 'The workflow has no node to start at. Add a trigger, for example a manual trigger, or name a start node.' };
  }
};

const prepare = (wish: StartWish, head: WorkflowHead, facts: VersionFacts | undefined): PreparedStart | ServiceError => {
  if (facts === undefined) return new InternalError(new Error(`Version ${head.versionId} is not in the store.`));
  if (facts.faults.length > 0) return new WorkflowNotRunnable(head.id, facts.faults);
  const start = facts.startNode(wish.startNode === '' ? undefined : wish.startNode);
  if (start.kind !== 'found') return new WorkflowNotRunnable(head.id, [startFault(start)]);
  return { versionId: head.versionId, ownerId: head.ownerId, startNode: start.node.name };
};

/** One query for any number of wishes; what a version allows is worked out once and kept. */
export const createPrepareStarts = (store: Pick<WorkflowStore, 'findHeads'>, facts: DerivedVersions<VersionFacts>): PrepareStarts => async (wishes) => {
  const heads = new Map((await store.findHeads([...new Set(wishes.map((wish) => wish.workflowId))])).map((head) => [head.id, head]));
  const known = await facts([...heads.values()].map((head) => head.versionId));
  return wishes.map((wish) => {
    const head = heads.get(wish.workflowId);
    if (head === undefined) return new WorkflowNotFound(wish.workflowId);
    return refusalOf(wish, head) ?? prepare(wish, head, known.get(head.versionId));
  });
};
