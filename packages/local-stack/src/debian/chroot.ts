import { chownSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackError } from '../errors';
import type { InTree } from '../processes/command-line';
import { runCommand, tryCommand } from '../processes/run-command';

/**
 * Number of the user and group of the servers of tests that need a root file system. Debian assigns it to no user, so
 * the files belong to no other service of the machine.
 */
export const CHROOT_USER = 64_900;

const MOUNT_AND_ENTER =
  'user=$1 root=$2; mount --bind "$3" "$root/data" && shift 3 && exec chroot --userspec="$user" "$root" "$@"';

/**
 * Prepares running programs of the tree, as root only, for servers of tests that have accounts or name their files by
 * absolute paths: with `<home>/data` as their `/data`, as the user above, several stacks at a time from
 * one tree. Where the machine allows mounts, each process sees the tree with the data mounted into it.
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

/** @throws StackError unless this process is root. `wayOut`: the remedy, as one sentence */
export function requireRoot(wayOut: string): void {
  if (process.getuid?.() !== 0) throw new StackError(`Only root can start servers in a root file system. ${wayOut}`);
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
