import { copyFileSync, cpSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runCommand } from '../processes/run-command';
import { StackError } from '../errors';
import type { UnpackedPackage } from './extract-packages';
import type { TreeLibraries } from './unpacked-programs';

/** Files of a tree that are needed, as paths from its root with a leading slash. */
export interface WantedFiles {
  /** Programs and modules; the libraries that they load are added. */
  readonly binaries: readonly string[];
  /** Other files and whole folders. */
  readonly data: readonly string[];
}

/**
 * Copies the wanted files of unpacked packages, the libraries that they need and the licences of all of them into an
 * empty tree.
 * @param libraries loader of the unpacked packages, and the folders of the tree for libraries
 * @returns the packages that the files belong to
 * @throws StackError if a library is missing
 */
export async function pickFiles(
  unpacked: string,
  packages: readonly UnpackedPackage[],
  { loader, folders }: TreeLibraries,
  { binaries, data }: WantedFiles,
  tree: string,
): Promise<readonly UnpackedPackage[]> {
  const root = realpathSync(unpacked);
  const [main = ''] = folders;
  // libraries of which Debian has several, of which it links one to the main folder
  const alternatives = ['blas', 'lapack'].map((name) => `${main}/${name}`);
  const libraries = await neededLibraries(root, join(root, loader), [...folders, ...alternatives], binaries);
  const copied: string[] = [];
  const copy = (from: string, to: string): void => {
    mkdirSync(dirname(join(tree, to)), { recursive: true });
    copyFileSync(from, join(tree, to));
    copied.push(relative(root, realpathSync(from)));
  };
  for (const path of [loader, ...binaries]) copy(join(root, path), path);
  for (const [name, path] of libraries) {
    const folder = folders.find((one) => path === join(root, one, name)) ?? main;
    copy(path, `${folder}/${name}`);
  }
  for (const path of data) {
    if (statSync(join(root, path)).isDirectory())
      cpSync(join(root, path), join(tree, path), { recursive: true, verbatimSymlinks: true });
    else copy(join(root, path), path);
  }
  const owners = ownersOf(packages, copied, data);
  for (const path of owners.flatMap(({ name }) =>
    ['copyright', 'NOTICE'].map((file) => `usr/share/doc/${name}/${file}`),
  ))
    if (existsSync(join(root, path))) copy(join(root, path), path);
  return owners;
}

/** Libraries by their names, and their paths. */
async function neededLibraries(
  root: string,
  loader: string,
  folders: readonly string[],
  binaries: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const path = folders.map((folder) => join(root, folder)).join(':');
  const found = new Map<string, string>();
  for (const binary of binaries) {
    const listing = await runCommand(loader, ['--library-path', path, '--list', join(root, binary)]);
    for (const [, name = '', library = ''] of listing.matchAll(/^\s*(\S+) => (.+?)(?: \(0x[0-9a-f]+\))?$/gm)) {
      if (name.includes('/')) continue;
      if (!library.startsWith(`${root}/`)) throw new StackError(`${binary} needs ${name}, which no package contains.`);
      found.set(name, library);
    }
  }
  return found;
}

function ownersOf(
  packages: readonly UnpackedPackage[],
  copied: readonly string[],
  data: readonly string[],
): readonly UnpackedPackage[] {
  const files = new Set(copied);
  const folders = data.map((path) => `${path.slice(1)}/`);
  return packages.filter((each) =>
    each.files.some(
      (file) => files.has(file) || (!file.endsWith('/') && folders.some((folder) => file.startsWith(folder))),
    ),
  );
}
