import { CredentialFileUnusable } from '../errors';
import type { Sealer } from '../sealing';
import { dataErrors, readData } from './check-credential';
import type { StoredCredential } from '../ownership/credential';
import { mayNameFiles, resolveReferences, type ReadCredentialFile } from './file-references';

/**
 * Opens the data of a stored credential, as JSON text with the current contents of its files.
 * @throws CredentialUnreadable, CredentialFileUnusable
 */
export type OpenCredential = (credential: StoredCredential) => Promise<string>;

export interface OpenPorts {
  readonly sealer: Pick<Sealer, 'open'>;
  readonly readCredentialFile: ReadCredentialFile;
  /** Called for an unusable file, in addition to the error that the caller gets. */
  readonly onUnusableFile: (error: CredentialFileUnusable) => void;
}

export const createOpenCredential = ({ sealer, readCredentialFile, onUnusableFile }: OpenPorts): OpenCredential => {
  const withFiles = async ({ id, type }: StoredCredential, dataJson: string): Promise<string> => {
    const { data, errors: ofFiles } = await resolveReferences(type, readData(dataJson), readCredentialFile);
    const errors = ofFiles.length > 0 ? ofFiles : dataErrors(type, data);
    if (errors.length === 0) return JSON.stringify(data);
    const error = new CredentialFileUnusable(id, errors);
    onUnusableFile(error);
    throw error;
  };
  return async function openCredential(credential) {
    const data = sealer.open(credential, credential.sealed);
    return mayNameFiles(data) ? withFiles(credential, data) : data;
  };
};
