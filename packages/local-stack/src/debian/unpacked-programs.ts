import { chmodSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InTree } from '../processes/command-line';
import { asServerUser } from '../processes/server-user';
import { StackError } from '../errors';

/** Loader and folders of shared libraries of a tree, as paths from its root with a leading slash. */
export interface TreeLibraries {
  readonly loader: string;
  readonly folders: readonly string[];
}

/**
 * Finds the loader in a tree of Debian packages.
 * @param more further folders with libraries
 */
export function librariesOf(tree: string, more: readonly string[] = []): TreeLibraries {
  const machine = readdirSync(join(tree, 'usr/lib')).find((name) => name.endsWith('-linux-gnu')) ?? '';
  const main = `/usr/lib/${machine}`;
  const loader = readdirSync(join(tree, main)).find((name) => /^ld-linux.*\.so\.\d+$/.test(name));
  if (loader === undefined) throw new StackError(`${tree} has no loader of shared libraries.`);
  return { loader: `${main}/${loader}`, folders: [main, ...more] };
}

/**
 * Replaces programs of a tree by scripts that run them by the tree's own loader and libraries, so they depend on
 * nothing of this machine but the kernel and a shell, wherever the tree is. The programs themselves get the suffix
 * `.elf`. PostgreSQL, which finds its files and its other programs by its own path, sees the path of the script.
 */
export function wrapPrograms(tree: string, programs: readonly string[], { loader, folders }: TreeLibraries): void {
  for (const program of programs) {
    renameSync(join(tree, program), join(tree, `${program}.elf`));
    writeFileSync(join(tree, program), script(program, loader, folders));
    chmodSync(join(tree, program), 0o755);
  }
}

const script = (program: string, loader: string, folders: readonly string[]): string => `#!/bin/sh
# Runs the program next to it by the loader, the libraries and the locales of this tree.
tree=\${0%${program}}
LOCPATH=$tree/usr/lib/locale
export LOCPATH
exec "$tree${loader}" --library-path "${folders.map((folder) => `$tree${folder}`).join(':')}" --argv0 "$0" "$0.elf" "$@"
`;

/** Command lines of wrapped programs. */
export const programsOf =
  (tree: string): InTree =>
  (program, ...args) =>
    asServerUser({ command: join(tree, program), args });
