import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { requireClaim, type CheckClaim, type Claim } from '../versions/claims';
import type { ChooseOwner } from '@weft/service-kit/ownership';
import type { DataTable } from './data-table';

/** Caller of a table operation: a user, or a run on behalf of its workflow's owner. */
export type Actor =
  | { readonly kind: 'user'; readonly principal: Principal }
  | { readonly kind: 'run'; readonly ownerId: string; readonly workflowId: string };

/** Identifies the caller. @throws ClaimLost, Forbidden for a runner without a claim */
export type FindActor = (principal: Principal | undefined, claim: Claim | undefined) => Promise<Actor>;

/** Identifies a user by the call, and a run by its claim. */
export const createFindActor = (checkClaim: CheckClaim): FindActor =>
  async function findActor(principal, claim) {
    if (principal !== undefined) return { kind: 'user', principal };
    if (claim === undefined) throw new Forbidden('A runner must send the claim of the run that it calls for.');
    return { kind: 'run', ...(await requireClaim(checkClaim, claim)) };
  };

/**
 * Owner of a table that the actor creates.
 * @throws Forbidden for a run that names another owner than that of its workflow; the errors of `ChooseOwner`
 */
export const chooseTableOwner = async (
  chooseOwner: ChooseOwner,
  actor: Actor,
  projectId: string | undefined,
): Promise<string> => {
  if (actor.kind === 'user') return chooseOwner(actor.principal, projectId);
  if (projectId !== undefined && projectId !== actor.ownerId)
    throw new Forbidden('A run can only create data tables for the owner of its workflow.');
  return actor.ownerId;
};

/** True if the actor may rename, share or delete the table. */
export const mayManage = (actor: Actor, table: DataTable): boolean =>
  actor.kind === 'user' ? mayChange(actor.principal, table.ownerId) : actor.ownerId === table.ownerId;

/**
 * True if the actor may write rows of the table. Data that a workflow reads from a table can affect where it sends its
 * owner's credentials, so others may only write to tables shared for that purpose.
 */
export const mayWriteRows = (actor: Actor, table: DataTable): boolean => table.isShared || mayManage(actor, table);

/** Prefix that keeps the actor's operation ids separate from those of others. */
export const operationScope = (actor: Actor): string =>
  actor.kind === 'user' ? `user:${actor.principal.userId}` : `run:${actor.workflowId}`;
