import type { Sealer } from '../sealing';
import type { CredentialStore, StoredCredential } from './credential';

/** Opens the data of a stored credential, as JSON text. @throws CredentialUnreadable */
export type OpenCredential = (credential: StoredCredential) => string;

/** Dependencies of opening. */
export interface OpenPorts {
  readonly credentials: Pick<CredentialStore, 'replace'>;
  readonly sealer: Pick<Sealer, 'open' | 'seal' | 'isOutdated'>;
  /** Receives the error of a failed migration, which fails no request. */
  readonly onResealFailure: (error: unknown) => void;
}

/** Data that was sealed by an earlier version is sealed anew when it is read. Nobody waits for that. */
export const createOpenCredential = ({ credentials, sealer, onResealFailure }: OpenPorts): OpenCredential =>
  function openCredential(credential) {
    const data = sealer.open(credential, credential.sealed);
    if (sealer.isOutdated(credential.sealed))
      credentials
        .replace(
          { ...credential, sealed: sealer.seal(credential, data), revision: credential.revision + 1 },
          credential.revision,
        )
        .catch(onResealFailure);
    return data;
  };
