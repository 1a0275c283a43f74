import { isUuid } from '@weft/service-kit/ids';
import { CredentialNotFound } from '../errors';
import type { OAuth2State } from '../oauth2/oauth2-state';
import type { Sealed } from '../sealing';

/** A credential without its data. */
export interface Credential {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly ownerId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Set if a user signs in with it through a browser. */
  readonly oauth2?: OAuth2State;
}

/** Permission to use another owner's credential. */
export interface Grant {
  /**
   * The project; `user:<id>` for the workflows of a user, `workflow:<id>` for one workflow. 0.1.0 reads and keeps these
   * as projects that do not exist.
   */
  readonly projectId: string;
  /** The user who granted it. */
  readonly grantedBy: string;
  readonly grantedAt: Date;
  /** Made by the sealer, so that write access to the database is not enough to grant anything. */
  readonly signature: string;
}

/** A stored credential. */
export interface StoredCredential extends Credential {
  readonly sealed: Sealed;
  /** As stored; the signature of each shows whether it is valid. */
  readonly grants: readonly Grant[];
  /** Incremented and compared by every update: of two concurrent updates the later one is repeated. */
  readonly revision: number;
}

/** Store of credentials. */
export interface CredentialStore {
  readonly insert: (credential: StoredCredential) => Promise<void>;
  readonly findById: (id: string) => Promise<StoredCredential | undefined>;
  /** Newest first, older than `afterId` and of these owners if given. */
  readonly page: (
    afterId: string | undefined,
    limit: number,
    ownerIds?: readonly string[],
  ) => Promise<readonly Credential[]>;
  /** Credentials after `afterId` whose data key is wrapped by that master key, ordered by id. */
  readonly findSealedBy: (
    kid: string,
    afterId: string | undefined,
    limit: number,
  ) => Promise<readonly StoredCredential[]>;
  /** Counts of credentials by the id of the master key that wraps their data keys. */
  readonly countByKid: () => Promise<ReadonlyMap<string, number>>;
  /** Number of credentials whose sign-in a service has ended. */
  readonly countLost: () => Promise<number>;
  /** Replaces the credential if it still has `revision`. @returns whether it had */
  readonly replace: (credential: StoredCredential, revision: number) => Promise<boolean>;
  readonly countOf: (ownerId: string) => Promise<number>;
  /** Some of a user's credentials. */
  readonly findOf: (ownerId: string, limit: number) => Promise<readonly StoredCredential[]>;
  /** Credentials granted to a project, newest first, older than `afterId`. */
  readonly pageGranted: (
    projectId: string,
    afterId: string | undefined,
    limit: number,
  ) => Promise<readonly StoredCredential[]>;
  /** Credentials with one of the names and types that an owner owns or was granted, by its key as a grantee. */
  readonly findNamed: (
    holder: { readonly ownerId: string; readonly grantee: string },
    wanted: { readonly names: readonly string[]; readonly types: readonly string[] },
    limit: number,
  ) => Promise<readonly StoredCredential[]>;
  /** Removes all grants to a grantee, as stored. */
  readonly removeGrantsTo: (projectId: string) => Promise<void>;
  /**
   * Removes a credential that still has the given owner.
   * @param isUnchanged true: only if it still has the given revision too
   * @returns whether there was one
   */
  readonly remove: (seen: StoredCredential, isUnchanged?: boolean) => Promise<boolean>;
}

/** The credential with an id, which may be any string. @throws CredentialNotFound */
export const findCredential = async (
  { findById }: Pick<CredentialStore, 'findById'>,
  id: string,
): Promise<StoredCredential> => {
  const found = isUuid(id) ? await findById(id) : undefined;
  if (found === undefined) throw new CredentialNotFound(id);
  return found;
};
