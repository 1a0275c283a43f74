import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../json';
import { BackUpError } from './plan';

/** The services with a store. A backup that lacks one of them is not complete. */
const WITH_STORE = ['executions', 'workflows', 'credentials'] as const;

/** Most folders that are looked at: years of nightly backups. */
const MAX_FOLDERS = 10_000;

/** Names of the folders that a prune kept and removed. */
export interface PruneFigures {
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

interface Found {
  readonly name: string;
  /** Start of the first service's backup; undefined: not complete. */
  readonly beganAt: string | undefined;
}

const beganAtOf = async (folder: string): Promise<string | undefined> => {
  const starts: string[] = [];
  for (const service of WITH_STORE) {
    try {
      const manifest: unknown = JSON.parse(await readFile(join(folder, service, 'manifest.json'), 'utf8'));
      if (!isObject(manifest) || typeof manifest['beganAt'] !== 'string') return undefined;
      starts.push(manifest['beganAt']);
    } catch {
      return undefined;
    }
  }
  return starts.sort()[0];
};

/** True if a folder is what a backup leaves: anything else is not removed. */
const isBackUp = (folder: string): boolean =>
  WITH_STORE.some((service) => existsSync(join(folder, service)) || existsSync(join(folder, `${service}.incomplete`)));

/**
 * Removes all but the newest complete backups from a folder of backups, and incomplete ones. Other files and folders
 * stay. Nothing is removed while there is no complete backup.
 * @param keep number of complete backups that stay, at least 1
 * @throws BackUpError without a complete backup, and errors of the disk
 */
export const pruneBackUps = async (folder: string, keep: number): Promise<PruneFigures> => {
  if (!Number.isSafeInteger(keep) || keep < 1) throw new BackUpError('Keep at least 1 back-up.');
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (names.length > MAX_FOLDERS)
    throw new BackUpError(`${folder} has ${names.length} folders. Move old back-ups elsewhere.`);
  const found: Found[] = [];
  for (const name of names.filter((one) => isBackUp(join(folder, one))))
    found.push({ name, beganAt: await beganAtOf(join(folder, name)) });
  const complete = found
    .filter(({ beganAt }) => beganAt !== undefined)
    .sort((one, other) => String(other.beganAt).localeCompare(String(one.beganAt)))
    .map(({ name }) => name);
  if (complete.length === 0)
    throw new BackUpError(
      `${folder} has no complete back-up, so nothing was removed. Check the steps before this one.`,
    );
  const kept = complete.slice(0, keep);
  const removed = found.map(({ name }) => name).filter((name) => !kept.includes(name));
  for (const name of removed) await rm(join(folder, name), { recursive: true, force: true });
  return { kept, removed };
};
