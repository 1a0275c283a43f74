import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '../wait-until';
import { identify, isRunning, parseIdentity } from './process-identity';
import type { ProcessIdentity } from './process-identity';

/** The signal that asks a process to end, and the time it may take. */
export interface StopManner {
  readonly signal: NodeJS.Signals;
  /** Milliseconds after which it is killed. */
  readonly graceMs: number;
}

const SUFFIX = '.process.json';

/**
 * The processes that one stack has started, one file each in a separate folder. Entries found there when the next
 * stack opens were left behind by one that could not clean up.
 */
export class Ledger {
  constructor(private readonly folder: string) {
    mkdirSync(folder, { recursive: true });
  }

  /** Notes a process just started under a name that is unique in this stack. */
  add(name: string, pid: number): void {
    const identity = identify(pid);
    if (identity !== undefined) writeFileSync(this.fileOf(name), JSON.stringify(identity));
  }

  /** Removes a process that has ended. */
  remove(name: string): void {
    rmSync(this.fileOf(name), { force: true });
  }

  /**
   * Ends every process still noted, all at once: each is asked with the signal that `mannerOf` gives for its name, and
   * killed when its time is up. Returns the names of the processes that were still running.
   */
  async clean(mannerOf: (name: string) => StopManner): Promise<string[]> {
    const noted = readdirSync(this.folder)
      .filter((file) => file.endsWith(SUFFIX))
      .map((file) => file.slice(0, -SUFFIX.length));
    const running = noted.flatMap((name) => {
      const identity = parseIdentity(readFileSync(this.fileOf(name), 'utf8'));
      return identity !== undefined && isRunning(identity) ? [{ name, identity }] : [];
    });
    await Promise.all(running.map(({ name, identity }) => endProcess(identity, mannerOf(name))));
    noted.forEach((name) => this.remove(name));
    return running.map(({ name }) => name);
  }

  private fileOf(name: string): string {
    return join(this.folder, name + SUFFIX);
  }
}

/**
 * Ends a process that is not a child of this one: asks first, kills after the grace time, returns when it has ended.
 */
export async function endProcess(identity: ProcessIdentity, manner: StopManner): Promise<void> {
  const gone = (): boolean => !isRunning(identity);
  signalIfRunning(identity, manner.signal);
  if (await waitUntil(gone, { limitMs: manner.graceMs })) return;
  signalIfRunning(identity, 'SIGKILL');
  if (!(await waitUntil(gone, { limitMs: 10_000 }))) throw new Error(`Process ${identity.pid} does not end.`);
}

function signalIfRunning(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isRunning(identity)) return;
  try {
    process.kill(identity.pid, signal);
  } catch {
    // it ended between the check and the signal
  }
}
