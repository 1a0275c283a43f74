import type { Sealed } from '../sealing';
import type { ResourceOwner } from '../projects/owners';

/** A credential without its data. */
export interface Credential {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly ownerId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A credential as it is stored. */
export interface StoredCredential extends Credential {
  readonly sealed: Sealed;
  /** Incremented by every update, and compared by it: of two concurrent updates the later one is repeated. */
  readonly revision: number;
}

/** Store of credentials. */
export interface CredentialStore {
  readonly insert: (credential: StoredCredential) => Promise<void>;
  readonly findById: (id: string) => Promise<StoredCredential | undefined>;
  /** Newest first, those older than `afterId`, of these owners if they are given. */
  readonly page: (
    afterId: string | undefined,
    limit: number,
    ownerIds?: readonly string[],
  ) => Promise<readonly Credential[]>;
  /** Those after `afterId` whose data key that master key wraps, ordered by id. */
  readonly findSealedBy: (
    kid: string,
    afterId: string | undefined,
    limit: number,
  ) => Promise<readonly StoredCredential[]>;
  /** Numbers of credentials by the id of the master key that wraps their data keys. */
  readonly countByKid: () => Promise<ReadonlyMap<string, number>>;
  /** Replaces the credential if it still has `revision`. @returns whether it had. */
  readonly replace: (credential: StoredCredential, revision: number) => Promise<boolean>;
  readonly countOf: (ownerId: string) => Promise<number>;
  /** Some of a user's credentials. */
  readonly findOf: (ownerId: string, limit: number) => Promise<readonly StoredCredential[]>;
  /** Removes a credential that still has the owner that was seen. @returns whether there was one. */
  readonly remove: (seen: Pick<Credential, 'id' | 'ownerId'>) => Promise<boolean>;
}

/**
 * True if runs of a workflow may use a credential: the workflow's owner must own the credential, or be a user with the
 * role owner or admin, which manage all of them. All others are refused: an editor's workflow cannot use credentials of
 * others, nor a project's those of its members.
 */
export const mayUse = (workflowOwner: ResourceOwner | undefined, credential: Credential): boolean =>
  workflowOwner !== undefined &&
  (workflowOwner.role === 'owner' || workflowOwner.role === 'admin' || workflowOwner.id === credential.ownerId);
