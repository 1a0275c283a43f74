import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand, tryCommand } from '../processes/run-command';

/**
 * Number of the user and group the database runs as. PostgreSQL refuses to run as root; the number is one that Debian
 * assigns to no user, so the files belong to no other service of the machine.
 */
export const CHROOT_USER = 64_900;

/** A command line that runs a program inside a tree. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Turns a program inside the tree and its arguments into a command line for this machine. */
export type InTree = (program: string, ...args: string[]) => CommandLine;

const MOUNT_AND_ENTER =
  'user=$1 root=$2; mount --bind "$3" "$root/data" && shift 3 && exec chroot --userspec="$user" "$root" "$@"';

/**
 * Prepares running programs of the tree with `<home>/data` as their `/data`, as the user above, several stacks at a
 * time from one tree. Where the machine allows mounts, each process sees the tree with the data mounted into it.
 * Where it does not (most containers), the tree is linked file by file into `home`, around the data.
 */
export async function prepareTree(tree: string, home: string): Promise<InTree> {
  const data = join(home, 'data');
  mkdirSync(data, { recursive: true });
  chownSync(data, CHROOT_USER, CHROOT_USER);
  const user = `${CHROOT_USER}:${CHROOT_USER}`;
  if ((await tryCommand('unshare', ['--mount', 'true'])).code === 0) {
    return (program, ...args) => ({
      command: 'unshare',
      args: ['--mount', 'sh', '-c', MOUNT_AND_ENTER, 'sh', user, tree, data, program, ...args],
    });
  }
  await linkTree(tree, home);
  return (program, ...args) => ({ command: 'chroot', args: [`--userspec=${user}`, home, program, ...args] });
}

async function linkTree(tree: string, home: string): Promise<void> {
  const marker = join(home, '.tree');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === tree) return;
  for (const entry of readdirSync(home).filter((name) => name !== 'data'))
    rmSync(join(home, entry), { recursive: true });
  for (const entry of readdirSync(tree).filter((name) => name !== 'data')) {
    const from = join(tree, entry);
    // links need both folders on one file system; elsewhere it is a copy
    const linked = await tryCommand('cp', ['--archive', '--link', from, home]);
    if (linked.code !== 0) await runCommand('cp', ['--archive', '--force', from, home]);
  }
  writeFileSync(marker, tree);
}
