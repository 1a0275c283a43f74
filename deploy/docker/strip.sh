#!/bin/sh
# Reduces a built checkout to the files that some workspaces need to run: their production dependencies, and the source
# maps of this repository, by which stack traces name lines of TypeScript. The Dockerfile runs it with one service:
#   sh deploy/docker/strip.sh services/gateway
set -eu
rm -rf node_modules
# npm has one "dev" flag per package for the whole lock file. A package that any workspace needs to run is not "dev", so
# --omit=dev keeps it for workspaces that need it only for development. Therefore all development dependencies go here.
node --input-type=commonjs --eval '
  const { existsSync, readFileSync, writeFileSync } = require("node:fs");
  const change = (file, edit) => {
    const content = JSON.parse(readFileSync(file, "utf8"));
    edit(content);
    writeFileSync(file, JSON.stringify(content, undefined, 2));
    return content;
  };
  const { packages } = change("package-lock.json", (lock) => {
    for (const [path, entry] of Object.entries(lock.packages))
      if (!path.includes("node_modules/")) delete entry.devDependencies;
  });
  for (const path of Object.keys(packages)) {
    const file = path === "" ? "package.json" : `${path}/package.json`;
    if (!path.includes("node_modules/") && existsSync(file)) change(file, (content) => delete content.devDependencies);
  }
'
options=$(printf -- ' --workspace %s' "$@")
# shellcheck disable=SC2086
npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error $options
for folder in services/* packages/*; do
  [ -e "node_modules/@weft/${folder#*/}" ] || rm -rf "$folder"
done
# npm's own list, which contains the address of the registry
rm -f node_modules/.package-lock.json
own() { find . -path '*/node_modules' -prune -o "$@" -prune -exec rm -rf {} +; }
own -type d \( -name src -o -name test \) -not -path '*/dist/*'
own -type d -path '*/dist/test'
own -type f \( -name '*.test.js' -o -name '*.test.js.map' -o -name '*.d.ts' -o -name '*.d.ts.map' -o -name '.tsbuildinfo*' \)
# Of other packages, only the files that run.
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.cts' -o -name '*.d.mts' \) -exec rm -f {} +
