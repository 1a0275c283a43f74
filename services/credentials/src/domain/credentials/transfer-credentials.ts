import { CredentialUnreadable } from '../errors';
import type { Sealer } from '../sealing';
import type { CredentialStore, StoredCredential } from './credential';

/** Dependencies of the use case. */
export interface TransferPorts {
  readonly credentials: Pick<CredentialStore, 'findOf' | 'replace'>;
  readonly sealer: Pick<Sealer, 'open' | 'seal'>;
}

/** Gives all credentials of a user to another. A repetition moves what is left. */
export type TransferCredentials = (fromOwnerId: string, toOwnerId: string) => Promise<void>;

const STEP_SIZE = 100;

/** Creates the use case. The seal covers the owner, so each is sealed anew. */
export const createTransferCredentials = ({ credentials, sealer }: TransferPorts): TransferCredentials => {
  const resealed = (credential: StoredCredential, ownerId: string): StoredCredential['sealed'] => {
    try {
      return sealer.seal({ ...credential, ownerId }, sealer.open(credential, credential.sealed));
    } catch (error) {
      // Nobody can read it; its new owner enters it again.
      if (error instanceof CredentialUnreadable) return credential.sealed;
      throw error;
    }
  };
  return async function transferCredentials(fromOwnerId, toOwnerId) {
    for (;;) {
      const found = await credentials.findOf(fromOwnerId, STEP_SIZE);
      for (const credential of found)
        // One that is updated at the same moment is found again.
        await credentials.replace(
          {
            ...credential,
            ownerId: toOwnerId,
            sealed: resealed(credential, toOwnerId),
            revision: credential.revision + 1,
          },
          credential.revision,
        );
      if (found.length === 0) return;
    }
  };
};
