import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from '../errors';
import { identify, isRunning, parseIdentity } from './process-identity';
import type { ProcessIdentity } from './process-identity';

/** A lock that this process holds. */
export interface Lock {
  /** Releases the lock; harmless when called twice. */
  release(): void;
}

/** Result of an attempt: the lock, or the process that holds it. */
export type LockAttempt = { readonly lock: Lock } | { readonly holder: ProcessIdentity };

/**
 * Tries to take the lock file at `path` for this process. The file names its holder, and one whose holder no longer
 * runs is taken over, so a killed process leaves nothing that needs removing by hand.
 */
export function tryLock(path: string): LockAttempt {
  mkdirSync(dirname(path), { recursive: true });
  const own = JSON.stringify(identify(process.pid));
  for (let attempt = 0; attempt < 10; attempt++) {
    if (createWhole(path, own)) return { lock: { release: () => removeIfStill(path, own) } };
    const text = read(path);
    const holder = text === undefined ? undefined : parseIdentity(text);
    if (holder !== undefined && isRunning(holder)) return { holder };
    if (text !== undefined) removeIfStill(path, text);
  }
  throw new Error(`The lock file ${path} changes hands too fast.`);
}

/** Writes a temporary file and links it into place: a reader sees all of it, and only one writer succeeds. */
function createWhole(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, text);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the file by renaming it first, so that of two processes doing it at once one finds nothing to remove. */
function removeIfStill(path: string, text: string): void {
  if (read(path) !== text) return;
  const aside = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (read(aside) !== text) {
    // a new holder came between the check and the rename: restore its file
    createWhole(path, read(aside) ?? '');
  }
  rmSync(aside, { force: true });
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
