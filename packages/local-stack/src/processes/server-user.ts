import { lstatSync } from 'node:fs';
import type { CommandLine } from './command-line';
import { runCommand } from './run-command';

/** Number of the user and group `nobody`, which every Debian has; initdb wants a user that has a name. */
const NOBODY = 65_534;

const isRoot = (): boolean => process.getuid?.() === 0;

/**
 * Command line of a server, which runs as this process's user; if that is root, as `nobody`, since PostgreSQL refuses
 * root. The folders above its files may be closed to others, as root's home is, so it retains the right to enter them.
 */
export function asServerUser({ command, args }: CommandLine): CommandLine {
  if (!isRoot()) return { command, args };
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];
  // without the last one, access(2) ignores the capability
  const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup'];
  return { command: 'setpriv', args: [...user, ...rights, '--', command, ...args] };
}

/** Gives a folder and everything in it to the user of servers; nothing happens unless this process is root. */
export async function giveToServerUser(folder: string): Promise<void> {
  if (!isRoot() || lstatSync(folder).uid === NOBODY) return;
  await runCommand('chown', ['--recursive', '--no-dereference', `${NOBODY}:${NOBODY}`, folder]);
}
