import { mayChange, type Principal } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import { requireClaim, type CheckClaim, type Claim } from '../claims';
import type { DataTable } from './data-table';
import { NotYourDataTable } from './errors';

/** Who works with a table: a user, or a run on behalf of its workflow's owner. */
export type Actor =
  | { readonly kind: 'user'; readonly principal: Principal }
  | { readonly kind: 'run'; readonly ownerId: string; readonly workflowId: string };

/** Finds out who acts. @throws ClaimLost, Forbidden for a runner that states no claim */
export type FindActor = (principal: Principal | undefined, claim: Claim | undefined) => Promise<Actor>;

/** A user is known by its call; a run by its claim. */
export const createFindActor =
  (checkClaim: CheckClaim): FindActor =>
  async (principal, claim) => {
    if (principal !== undefined) return { kind: 'user', principal };
    if (claim === undefined) throw new Forbidden('A runner has to say for which run it calls.');
    return { kind: 'run', ...(await requireClaim(checkClaim, claim)) };
  };

/** Whose a table is that the actor makes. */
export const ownerOf = (actor: Actor): string => (actor.kind === 'user' ? actor.principal.userId : actor.ownerId);

/** Whether the actor may rename or delete the table. @throws NotYourDataTable */
export const requireOwn = (actor: Actor, table: DataTable): void => {
  if (actor.kind === 'user' ? !mayChange(actor.principal, table.ownerId) : actor.ownerId !== table.ownerId)
    throw new NotYourDataTable(table.id);
};

/**
 * Whether the actor may write rows of the table: runs may, users if the table is theirs to change.
 * @throws NotYourDataTable
 */
export const requireWritable = (actor: Actor, table: DataTable): void => {
  if (actor.kind === 'user') requireOwn(actor, table);
};

/** What tells the actor's operations from those of others. */
export const operationScope = (actor: Actor): string =>
  actor.kind === 'user' ? `user:${actor.principal.userId}` : `run:${actor.workflowId}`;
