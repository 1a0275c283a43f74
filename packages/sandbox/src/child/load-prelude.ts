import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Compiled files of the prelude: they run in the engine, not here. */
const FOLDER = join(__dirname, '..', 'prelude');

/**
 * Libraries that the prelude imports, and the scripts they are in. The engine stores scripts as text as well, so short
 * ones are best.
 */
const LIBRARIES: Readonly<Record<string, { readonly file: string; readonly exported: string }>> = {
  luxon: { file: 'build/global/luxon.min.js', exported: 'luxon' },
  jmespath: { file: 'jmespath.js', exported: 'exports' },
};

/**
 * Returns `{ add, create, createRealm }`: `add(name, body)` takes a module; the others run the main module of QuickJS,
 * or that of a realm of V8, and return its result. The modules stay modules, and none of their names can be seen by the
 * user's code.
 */
export const LOADER = `(function () {
  var bodies = {};
  var loaded = {};
  function load(name) {
    if (loaded[name] === undefined) {
      var module = { exports: {} };
      loaded[name] = module;
      bodies[name](module.exports, function (path) { return load(resolve(name, path)); }, module);
    }
    return loaded[name].exports;
  }
  function resolve(from, path) {
    if (path[0] !== '.') return path;
    var parts = from.split('/').slice(0, -1);
    path.split('/').forEach(function (part) {
      if (part === '..') parts.pop(); else if (part !== '.') parts.push(part);
    });
    return parts.join('/');
  }
  return {
    add: function (name, body) { bodies[name] = body; },
    create: function (host) { return load('main').createSandbox(host, load); },
    createRealm: function (host) { return load('realm').createRealm(host, load); },
  };
})()`;

/** A module for the loader: its name, and a script whose value is its body. */
export interface PreludeModule {
  readonly name: string;
  readonly script: string;
}

/** All modules of the prelude and the libraries they import. */
export function preludeModules(): PreludeModule[] {
  const own = listFiles(FOLDER).map((path): PreludeModule => ({
    name: relative(FOLDER, path).replaceAll('\\', '/').replace(/\.js$/, ''),
    script: asBody(readFileSync(path, 'utf8'), ''),
  }));
  const libraries = Object.entries(LIBRARIES).map(([name, { file, exported }]): PreludeModule => ({
    name,
    script: asBody(
      readFileSync(join(dirname(require.resolve(`${name}/package.json`)), file), 'utf8'),
      `module.exports = ${exported};`,
    ),
  }));
  return [...own, ...libraries];
}

/**
 * All modules as one script. Its value takes the host function and returns the `Sandbox` of the realm that it was
 * evaluated in.
 */
export function realmScript(): string {
  const added = preludeModules().map(({ name, script }) => `loader.add(${JSON.stringify(name)}, ${script});`);
  return `(function () { var loader = ${LOADER}; ${added.join('\n')} return loader.createRealm; })()`;
}

function asBody(source: string, ending: string): string {
  return `(function (exports, require, module) {${source}\n${ending}})`;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listFiles(path);
    return entry.name.endsWith('.js') && !entry.name.endsWith('.test.js') ? [path] : [];
  });
}
