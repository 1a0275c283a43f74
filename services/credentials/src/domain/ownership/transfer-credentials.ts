import { CredentialBusy, CredentialUnreadable } from '../errors';
import type { Sealer } from '../sealing';
import { findCredential, type CredentialStore, type StoredCredential } from './credential';

export interface TransferPorts {
  readonly credentials: Pick<CredentialStore, 'findById' | 'findOf' | 'replace'>;
  readonly sealer: Pick<Sealer, 'open' | 'seal'>;
}

/** Gives all credentials of a user or project to another. Repeating it moves the rest. */
export type TransferCredentials = (fromOwnerId: string, toOwnerId: string) => Promise<void>;

/** Gives one credential to another owner. @throws CredentialNotFound, CredentialBusy */
export type TransferCredential = (id: string, toOwnerId: string) => Promise<void>;

const STEP_SIZE = 100;

const MAX_TRIES = 3;

/**
 * Creates both use cases. The seal covers the owner, so each credential is sealed again. Its grants end: the new owner
 * decides about them.
 */
export const transferCredentialUseCases = ({
  credentials,
  sealer,
}: TransferPorts): {
  readonly transferCredentials: TransferCredentials;
  readonly transferCredential: TransferCredential;
} => {
  const resealed = (credential: StoredCredential, ownerId: string): StoredCredential['sealed'] => {
    try {
      return sealer.seal({ ...credential, ownerId }, sealer.open(credential, credential.sealed));
    } catch (error) {
      // No key can open it; its new owner has to enter it again.
      if (error instanceof CredentialUnreadable) return credential.sealed;
      throw error;
    }
  };
  /** False if it was updated meanwhile. */
  const give = (credential: StoredCredential, ownerId: string): Promise<boolean> =>
    credentials.replace(
      {
        ...credential,
        ownerId,
        sealed: resealed(credential, ownerId),
        grants: [],
        revision: credential.revision + 1,
      },
      credential.revision,
    );
  return {
    transferCredentials: async (fromOwnerId, toOwnerId) => {
      for (;;) {
        const found = await credentials.findOf(fromOwnerId, STEP_SIZE);
        // A concurrently updated one is found again.
        for (const credential of found) await give(credential, toOwnerId);
        if (found.length === 0) return;
      }
    },
    transferCredential: async (id, toOwnerId) => {
      for (let tried = 0; tried < MAX_TRIES; tried += 1) {
        const credential = await findCredential(credentials, id);
        if (credential.ownerId === toOwnerId || (await give(credential, toOwnerId))) return;
      }
      throw new CredentialBusy(id);
    },
  };
};
