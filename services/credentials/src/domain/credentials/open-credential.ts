import { CredentialFileUnusable } from '../errors';
import type { Sealer } from '../sealing';
import { dataErrors, readData } from './check-credential';
import type { CredentialStore, StoredCredential } from './credential';
import { grantsUnder } from './grant';
import { mayNameFiles, resolveReferences, type ReadCredentialFile } from './file-references';

/**
 * Opens the data of a stored credential, as JSON text, with what the files that it names hold now.
 * @throws CredentialUnreadable, CredentialFileUnusable
 */
export type OpenCredential = (credential: StoredCredential) => Promise<string>;

/** Dependencies of opening. */
export interface OpenPorts {
  readonly credentials: Pick<CredentialStore, 'replace'>;
  readonly sealer: Pick<Sealer, 'open' | 'seal' | 'isOutdated' | 'signGrant'>;
  readonly readCredentialFile: ReadCredentialFile;
  /** Receives the error of a failed migration, which fails no request. */
  readonly onResealFailure: (error: unknown) => void;
  /** Is told of a file that cannot be used, besides whoever wanted to use the credential. */
  readonly onUnusableFile: (error: CredentialFileUnusable) => void;
}

/** Data that was sealed by an earlier version is sealed anew when it is read. Nobody waits for that. */
export const createOpenCredential = ({
  credentials,
  sealer,
  readCredentialFile,
  onResealFailure,
  onUnusableFile,
}: OpenPorts): OpenCredential => {
  const withFiles = async ({ id, type }: StoredCredential, dataJson: string): Promise<string> => {
    const { data, errors: ofFiles } = await resolveReferences(type, readData(dataJson), readCredentialFile);
    const errors = ofFiles.length > 0 ? ofFiles : dataErrors(type, data);
    if (errors.length === 0) return JSON.stringify(data);
    const error = new CredentialFileUnusable(id, errors);
    onUnusableFile(error);
    throw error;
  };
  const reseal = async (credential: StoredCredential, data: string): Promise<void> => {
    const resealed = { ...credential, sealed: sealer.seal(credential, data), revision: credential.revision + 1 };
    await credentials.replace({ ...resealed, grants: grantsUnder(sealer, credential, resealed) }, credential.revision);
  };
  return async function openCredential(credential) {
    const data = sealer.open(credential, credential.sealed);
    if (sealer.isOutdated(credential.sealed)) reseal(credential, data).catch(onResealFailure);
    return mayNameFiles(data) ? withFiles(credential, data) : data;
  };
};
