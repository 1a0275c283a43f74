import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../processes/lock';
import type { Lock } from '../processes/lock';
import { StackError, messageOf } from '../errors';
import { INCLUDED_SERVERS } from '../places';
import type { Report } from '../errors';
import { waitUntil } from '../wait-until';

/** Something that is made once per machine and then found in the cache. */
export interface Recipe {
  /** First part of the folder's name. */
  readonly name: string;
  /** Everything the result depends on. A changed value is another folder, so a changed version is built again. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Fills an empty folder. Files that it leaves when it throws are removed. */
  readonly build: (folder: string) => Promise<void>;
}

// another start may be building the same; the slowest build takes a few minutes on two cores
const LONGEST_WAIT_MS = 20 * 60_000;

/**
 * The folder with the results of the recipe: one that the release archive includes, or one in the cache, made first if
 * it does not exist. A folder of that name is always
 * complete: it is filled under another name and then renamed. Of several processes that need it at once one builds, the
 * others wait.
 */
export async function builtOnce(cache: string, recipe: Recipe, report: Report): Promise<string> {
  const name = folderOf(recipe);
  const folder = join(cache, name);
  const existing = [join(INCLUDED_SERVERS, name), folder].find((path) => existsSync(path));
  if (existing !== undefined) return existing;
  const lock = await waitForLock(join(cache, 'locks', name), recipe.name, report);
  try {
    if (!existsSync(folder)) await build(cache, name, recipe);
    return folder;
  } finally {
    lock.release();
  }
}

/** True if the recipe's result exists already. */
export function isBuilt(cache: string, recipe: Recipe): boolean {
  return [INCLUDED_SERVERS, cache].some((folder) => existsSync(join(folder, folderOf(recipe))));
}

async function build(cache: string, name: string, recipe: Recipe): Promise<void> {
  const prefix = `.building-${name}-`;
  for (const left of readdirSync(cache).filter((entry) => entry.startsWith(prefix))) {
    rmSync(join(cache, left), { recursive: true, force: true });
  }
  const draft = join(cache, prefix + process.pid);
  mkdirSync(draft, { recursive: true });
  try {
    await recipe.build(draft);
    renameSync(draft, join(cache, name));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error instanceof StackError
      ? error
      : new StackError(`${recipe.name} could not be set up: ${messageOf(error)}`);
  }
}

async function waitForLock(path: string, name: string, report: Report): Promise<Lock> {
  let told = false;
  const lock = await waitUntil(
    () => {
      const attempt = tryLock(path);
      if ('lock' in attempt) return attempt.lock;
      if (!told) report(`waiting: process ${attempt.holder.pid} is setting up ${name} already`);
      told = true;
      return undefined;
    },
    { limitMs: LONGEST_WAIT_MS, everyMs: 200 },
  );
  if (lock === undefined)
    throw new StackError(
      `Another process has been setting up ${name} for ${LONGEST_WAIT_MS / 60_000} minutes; end it and start again.`,
    );
  return lock;
}

/** Name of the folder with the results of a recipe. */
function folderOf(recipe: Recipe): string {
  const inputs = Object.entries({ ...recipe.inputs, machine: `${process.platform}-${process.arch}` }).sort();
  return `${recipe.name}-${createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 12)}`;
}
