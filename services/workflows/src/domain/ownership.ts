import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';

/** Numbers of what a user owns. */
export interface Owned {
  readonly workflows: number;
  readonly variables: number;
  readonly dataTables: number;
}

/** Store of who owns what. */
export interface OwnershipStore {
  readonly count: (ownerId: string) => Promise<Owned>;
  /** A change of a workflow that was read before is refused afterwards, and reads it again. */
  readonly transfer: (fromOwnerId: string, toOwnerId: string, at: Date) => Promise<void>;
}

/** Ownership, for the deletion of users. */
export interface OwnershipUseCases {
  readonly countOwned: (ownerId: string) => Promise<Owned>;
  /** Moves everything that one user owns to another; a repetition moves what is left. @throws InvalidRequest */
  readonly transferOwnership: (fromOwnerId: string, toOwnerId: string) => Promise<void>;
}

/** The use cases over their store. */
export const ownershipUseCases = (store: OwnershipStore): OwnershipUseCases => ({
  countOwned: store.count,
  transferOwnership: async (fromOwnerId, toOwnerId) => {
    if (!isUuid(toOwnerId))
      throw new InvalidRequest('The new owner is invalid.', [
        { field: 'to_owner_id', message: 'must be the id of a user.' },
      ]);
    await store.transfer(fromOwnerId, toOwnerId, new Date());
  },
});
