// Reads the packages of an SBOM and of an installed folder in the same form: name@version.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a JSON file. */
export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Name of a component of CycloneDX. */
export const nameOf = ({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`;

/** Name of a package at a path of a lock file. */
export const lockedName = (path, { version }) =>
  `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;

/** Components of a document, at any depth. */
export const flatten = (components = []) => components.flatMap((one) => [one, ...flatten(one.components)]);

/** Folders of the packages in a folder `node_modules`, those in scopes included. */
const foldersIn = (modules) =>
  readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const folder = join(modules, name);
      return name.startsWith('@') ? readdirSync(folder).map((inScope) => join(folder, inScope)) : [folder];
    });

/** Every package that is installed below a folder, as `name@version`, including linked packages of this repository. */
export const installedIn = (folder) => {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) return [];
  return foldersIn(modules).flatMap((path) => {
    const file = join(path, 'package.json');
    if (!existsSync(file)) return [];
    const { name, version } = readJson(file);
    return [`${name}@${version}`, ...installedIn(path)];
  });
};
