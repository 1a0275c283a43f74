import type { Sealed } from '../sealing';

/** A credential as anyone may see it who manages credentials: all but its data. */
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
  /**
   * Grows with every change, so that of two changes at once the later one is made again on the outcome of the first.
   */
  readonly revision: number;
}

/** Where credentials are kept. */
export interface CredentialStore {
  readonly insert: (credential: StoredCredential) => Promise<void>;
  readonly findById: (id: string) => Promise<StoredCredential | undefined>;
  /** Newest first, those older than `afterId`. */
  readonly page: (afterId: string | undefined, limit: number) => Promise<readonly Credential[]>;
  /** In the order of their ids, those after `afterId` whose data key that master key wraps. */
  readonly findSealedBy: (
    kid: string,
    afterId: string | undefined,
    limit: number,
  ) => Promise<readonly StoredCredential[]>;
  /** Replaces the credential if it still has `revision`. @returns whether it had. */
  readonly replace: (credential: StoredCredential, revision: number) => Promise<boolean>;
  /** @returns whether there was one. */
  readonly remove: (id: string) => Promise<boolean>;
}
