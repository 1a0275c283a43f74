import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';
import type { Environment } from '@weft/service-kit/config';

const realPathOf = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    // It may be mounted later, so its unresolved path is compared.
    return path;
  }
};

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};

/** Variables by which this process reads its own secrets from files, with their values: `MASTER_KEY_FILE`. */
const ownFiles = (environment: Environment): [string, string][] =>
  Object.entries(environment).flatMap(([name, path]) => (name.endsWith('_FILE') && path ? [[name, path]] : []));

/**
 * Errors of the folder of credential files. Credentials expose everything in it, so it must not contain this service's
 * secrets.
 * @param folder empty: there is none
 */
export const credentialFilesErrors = (folder: string, environment: Environment): readonly string[] => {
  if (folder === '') return [];
  if (!isAbsolute(folder) || !isFolder(folder))
    return [`CREDENTIAL_FILES_DIR: ${JSON.stringify(folder)} is not the absolute path of a folder.`];
  const root = realPathOf(folder);
  return ownFiles(environment)
    .filter(([, path]) => `${realPathOf(path)}${sep}`.startsWith(root === sep ? root : `${root}${sep}`))
    .map(([name]) => `CREDENTIAL_FILES_DIR: the file of ${name} lies in it. Mount the files of credentials elsewhere.`);
};
