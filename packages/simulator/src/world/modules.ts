import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The folder of the compiled project. */
const ROOT = join(__dirname, '../../../../..');

const load = createRequire(__filename);

/** Path of a compiled module of a package or service, for example `services/runner`, `executor`. */
export const pathOf = (project: string, module: string): string => join(ROOT, project, 'dist/src', `${module}.js`);

/** Loads a compiled module by its path, also one that its package does not export. */
export const loadModule = <Module extends object>(project: string, module: string): Module =>
  load(pathOf(project, module));

/** Loads a compiled module of the tests of a service. */
export const loadTestModule = <Module extends object>(project: string, module: string): Module =>
  load(join(ROOT, project, 'dist/test', `${module}.js`));

/** Replaces exports of a module for all modules that use it. */
export const replaceExports = (project: string, module: string, replacements: object): void => {
  Object.assign(loadModule(project, module), replacements);
};

/** Loads a file of a dependency of a package or service, for example `nats`, `lib/index.js`. */
export const loadDependency = (project: string, name: string): unknown => createRequire(pathOf(project, 'index'))(name);

/** Replaces functions of a module of Node. */
export const replaceBuiltIn = (name: string, replacements: object): void => {
  const module: object = load(name);
  Object.assign(module, replacements);
};
