'use strict';

/*
 * Module loader of all layers. jest loads every module again for every test file, which for grpc, mongoose and express
 * takes more time than most files need for their tests. Here only the modules of the package under test are loaded
 * again; the packages it imports by name are loaded once per worker process, by Node.
 */
const { createRequire, isBuiltin } = require('node:module');
const { dirname } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** `require` of the files in a folder. */
const requireOf = new Map();
const requireFrom = (file) => {
  const folder = dirname(file);
  const known = requireOf.get(folder);
  if (known !== undefined) return known;
  const made = createRequire(file);
  requireOf.set(folder, made);
  return made;
};

const isPackage = (name) => !/^[./]/.test(name) && !isBuiltin(name) && !name.startsWith('@jest/');

module.exports = class SharedPackagesRuntime extends Runtime {
  requireModuleOrMock(from, name) {
    return isPackage(name) ? requireFrom(from)(name) : super.requireModuleOrMock(from, name);
  }
};
module.exports.default = module.exports;
