import { mayChange, type Principal } from '@weft/service-kit/auth';
import { InvalidRequest, Unavailable, type ServiceError } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { DataTableNotFound, NotYourDataTable } from './data-tables/errors';
import { NotYourWorkflow, WorkflowNotFound } from './errors';
import { untilLeasesEnd } from './routes/route-releases';
import { NotYourVariable, VariableNotFound } from './variables/errors';

/** Counts of what a user or project owns. */
export interface Owned {
  readonly workflows: number;
  readonly variables: number;
  readonly dataTables: number;
}

/** An object that has an owner. */
export interface OwnedThing {
  readonly kind: 'workflow' | 'variable' | 'data-table';
  readonly id: string;
}

export interface OwnershipStore {
  readonly count: (ownerId: string) => Promise<Owned>;
  /**
   * Deactivates its workflows and releases their routes. Makes a concurrent change of a workflow fail and read again.
   */
  readonly transfer: (fromOwnerId: string, toOwnerId: string, at: Date) => Promise<void>;
  /** Undefined if it does not exist. */
  readonly ownerOf: (thing: OwnedThing) => Promise<string | undefined>;
  /** Like `transfer`, for one object that still has that owner. @returns whether it had */
  readonly transferOne: (
    thing: OwnedThing,
    fromOwnerId: string,
    to: { readonly ownerId: string; readonly at: Date; readonly deactivates: boolean },
  ) => Promise<boolean>;
}

/** Ownership, for the deletion of users and for projects. */
export interface OwnershipUseCases {
  readonly countOwned: (ownerId: string) => Promise<Owned>;
  /** @throws WorkflowNotFound */
  readonly getWorkflowOwner: (workflowId: string) => Promise<string>;
  /**
   * Moves everything that one user owns to another; repeating it moves the rest. Workflows become inactive: their new
   * owner, whose rights they get, decides whether they run.
   * @throws InvalidRequest
   */
  readonly transferOwnership: (fromOwnerId: string, toOwnerId: string) => Promise<void>;
  /**
   * Gives one object to another owner, for a user who may change it. Later runs belong to the new owner. A workflow
   * that names a credential which its runs may not use becomes inactive: they might be allowed to from now on.
   * @throws InvalidRequest; the errors of its kind for an object that does not exist or belongs to others
   */
  readonly transferOne: (thing: OwnedThing, toOwnerId: string, user: Principal) => Promise<void>;
}

interface Refusals {
  readonly notFound: (id: string) => ServiceError;
  readonly notYours: (id: string) => ServiceError;
}

const REFUSALS: Readonly<Record<OwnedThing['kind'], Refusals>> = {
  workflow: { notFound: (id) => new WorkflowNotFound(id), notYours: (id) => new NotYourWorkflow(id) },
  variable: { notFound: (id) => new VariableNotFound(id), notYours: (id) => new NotYourVariable(id) },
  'data-table': { notFound: (id) => new DataTableNotFound(id), notYours: (id) => new NotYourDataTable(id) },
};

/** Maximum attempts at a transfer with concurrent changes. */
const MAX_TRIES = 3;

const checkOwnerId = (toOwnerId: string): void => {
  if (isUuid(toOwnerId)) return;
  throw new InvalidRequest('The new owner is invalid.', [
    { field: 'to_owner_id', message: 'must be the id of a user or project.' },
  ]);
};

/** True if a workflow names a credential that its runs may not use. @throws Unavailable */
export type LacksCredentials = (workflowId: string) => Promise<boolean>;

/** Has hooks of deactivated workflows removed soon. */
export type RecheckHooks = (selection: { readonly ownerId: string } | { readonly workflowId: string }) => Promise<void>;

export const ownershipUseCases = (
  store: OwnershipStore,
  lacksCredentials: LacksCredentials,
  recheckHooks: RecheckHooks,
): OwnershipUseCases => ({
  countOwned: store.count,
  getWorkflowOwner: async (id) => {
    const ownerId = isUuid(id) ? await store.ownerOf({ kind: 'workflow', id }) : undefined;
    if (ownerId === undefined) throw new WorkflowNotFound(id);
    return ownerId;
  },
  transferOwnership: async (fromOwnerId, toOwnerId) => {
    checkOwnerId(toOwnerId);
    await store.transfer(fromOwnerId, toOwnerId, new Date());
    await recheckHooks({ ownerId: fromOwnerId });
    await untilLeasesEnd();
  },
  transferOne: async (thing, toOwnerId, user) => {
    checkOwnerId(toOwnerId);
    const { notFound, notYours } = REFUSALS[thing.kind];
    for (let tried = 0; tried < MAX_TRIES; tried += 1) {
      const ownerId = isUuid(thing.id) ? await store.ownerOf(thing) : undefined;
      if (ownerId === undefined) throw notFound(thing.id);
      if (!mayChange(user, ownerId)) throw notYours(thing.id);
      // Also if the owner is unchanged: an interrupted transfer may have left its files behind.
      const deactivates = thing.kind === 'workflow' && ownerId !== toOwnerId && (await lacksCredentials(thing.id));
      if (!(await store.transferOne(thing, ownerId, { ownerId: toOwnerId, at: new Date(), deactivates }))) continue;
      if (thing.kind === 'workflow') {
        await recheckHooks({ workflowId: thing.id });
        await untilLeasesEnd();
      }
      return;
    }
    throw new Unavailable('This is being moved by others at the same moment. Try again.');
  },
});
