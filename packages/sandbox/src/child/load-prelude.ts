import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';

/** Compiled files of the prelude, which run in a realm, not here. */
const FOLDER = join(__dirname, '..', 'prelude');

/**
 * Libraries that the prelude imports, and their scripts. V8 also keeps the source text of scripts, so short ones are
 * best.
 */
const LIBRARIES: Readonly<Record<string, { readonly file: string; readonly exported: string }>> = {
  luxon: { file: 'build/global/luxon.min.js', exported: 'luxon' },
  jmespath: { file: 'jmespath.js', exported: 'exports' },
};

/**
 * Returns `{ add, createRealm }`: `add(name, body)` registers a module; `createRealm` runs the main module of a realm
 * and returns its result. User code sees neither the modules nor their names. A module that fails to load because the
 * stack is exhausted is loaded again at the next request.
 */
const LOADER = `(function () {
  'use strict';
  var bodies = Object.create(null);
  var loaded = Object.create(null);
  var loads = 0;
  function load(name) {
    if (loaded[name] !== undefined) return loaded[name].exports;
    loads += 1;
    var module = { exports: {} };
    var isComplete = false;
    loaded[name] = module;
    try {
      bodies[name](module.exports, load, module);
      isComplete = true;
    } finally {
      if (!isComplete) loaded[name] = undefined;
    }
    return module.exports;
  }
  return {
    add: function (name, body) { bodies[name] = body; },
    createRealm: function (host) { return load('realm').createRealm(host, load, function () { return loads; }); },
  };
})()`;

/** A module for the loader: its name, and a script that evaluates to its body. */
interface PreludeModule {
  readonly name: string;
  readonly script: string;
}

/** All modules of the prelude and the libraries they import. */
function preludeModules(): PreludeModule[] {
  const own = listFiles(FOLDER).map((path): PreludeModule => {
    const name = relative(FOLDER, path).replaceAll('\\', '/').replace(/\.js$/, '');
    return { name, script: asBody(withWholeNames(readFileSync(path, 'utf8'), name), '') };
  });
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
 * All modules as one script. It evaluates to a function that takes the host function and returns the `RealmSandbox` of
 * the realm it was evaluated in.
 */
export function realmScript(): string {
  const added = preludeModules().map(({ name, script }) => `loader.add(${JSON.stringify(name)}, ${script});`);
  return `(function () { var loader = ${LOADER}; ${added.join('\n')} return loader.createRealm; })()`;
}

/** Resolves the import names of a module, which would take time in each realm. */
function withWholeNames(source: string, name: string): string {
  return source.replaceAll(
    /\brequire\("(\.[^"]+)"\)/g,
    (_, path: string) => `require(${JSON.stringify(posix.join(posix.dirname(name), path))})`,
  );
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
