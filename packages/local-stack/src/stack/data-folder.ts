import { chmodSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { StackError } from '../errors';
import type { Report } from '../errors';
import { FERRETDB, FERRETDB_STOP } from '../mongodb/ferretdb';
import { MONGOD, MONGOD_STOP } from '../mongodb/mongod';
import { POSTGRES } from '../mongodb/postgres';
import { NATS, NATS_STOP } from '../nats/nats-server';
import { Ledger } from '../processes/ledger';
import type { StopManner } from '../processes/ledger';
import { tryLock } from '../processes/lock';
import { makeFolder } from '../processes/make-folder';

/** A data folder that only this process uses. */
export interface DataFolder {
  /** Absolute path. */
  readonly path: string;
  /** Ledger of the processes that work on it. */
  readonly ledger: Ledger;
  /** Releases the folder for another stack; its contents remain. */
  release(): void;
}

const LOCK_FILE = 'run/stack.lock';

/**
 * Takes a data folder, made if it does not exist, and ends the processes that an earlier stack left running on it.
 * Throws a sentence that names the process if another stack uses the folder.
 */
export async function openDataFolder(path: string, report: Report): Promise<DataFolder> {
  makeFolder(path, 'data folder', 'WEFT_DATA');
  // no other user may read logs and databases
  chmodSync(path, 0o700);
  const attempt = tryLock(join(path, LOCK_FILE));
  if (!('lock' in attempt)) {
    throw new StackError(
      `Process ${attempt.holder.pid} already runs a stack on the data folder ${path}. Stop it, or name ` +
        'another folder in WEFT_DATA.',
    );
  }
  const ledger = new Ledger(join(path, 'run'));
  try {
    const left = await ledger.clean(stopMannerOf);
    if (left.length > 0) report(`ended what an earlier start had left running: ${left.join(', ')}`);
  } catch (error) {
    attempt.lock.release();
    throw error;
  }
  return { path, ledger, release: () => attempt.lock.release() };
}

/** Path for a new data folder of a stack that lives as long as a test; see {@link sweepTemporaryFolders}. */
export function temporaryFolder(data: string): string {
  return join(data, 'temporary', `${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`);
}

/** Removes the databases of a temporary folder and leaves its logs to be read. */
export function removeDatabases(path: string): void {
  for (const entry of readdirSync(path).filter((name) => name !== 'logs'))
    rmSync(join(path, entry), { recursive: true, force: true });
}

/** Ends processes on temporary folders whose stack has ended, and removes those folders, or all but their logs. */
export async function sweepTemporaryFolders(data: string, remove: (folder: string) => void = removeAll): Promise<void> {
  const home = join(data, 'temporary');
  const folders = existsSync(home) ? readdirSync(home).map((name) => join(home, name)) : [];
  for (const folder of folders) {
    const attempt = tryLock(join(folder, LOCK_FILE));
    if (!('lock' in attempt)) continue;
    await new Ledger(join(folder, 'run')).clean(stopMannerOf);
    remove(folder);
  }
}

function removeAll(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** How a leftover process is ended: databases by their own signal, everything else at once. */
function stopMannerOf(name: string): StopManner {
  const manners: Readonly<Record<string, StopManner>> = {
    // PostgreSQL's fast stop, without a checkpoint; its log is replayed at the next start
    [POSTGRES]: { signal: 'SIGQUIT', graceMs: 5_000 },
    [FERRETDB]: FERRETDB_STOP,
    [MONGOD]: MONGOD_STOP,
    [NATS]: NATS_STOP,
  };
  return manners[name] ?? { signal: 'SIGKILL', graceMs: 1_000 };
}
