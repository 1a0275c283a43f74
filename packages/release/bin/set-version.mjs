// Sets the version of all workspaces, of their references to each other, in the lock file, and in the files that name
// it besides:
//   node packages/release/bin/set-version.mjs 0.2.0
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const [version = ''] = process.argv.slice(2);
const OTHERS = [
  'packages/cli/src/release.ts',
  'packages/kubernetes-check/src/chart-check/comparisons.ts',
  'deploy/k8s/overlays/production/kustomization.yaml',
  'services/gateway/src/openapi/examples.ts',
  'docs/operations/install.md',
];
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Usage: node packages/release/bin/set-version.mjs MAJOR.MINOR.PATCH');
  process.exit(1);
}

/** Changes a package as package.json or the lock file describes it. */
const update = (content) => {
  content.version = version;
  for (const dependencies of [content.dependencies, content.devDependencies])
    for (const name of Object.keys(dependencies ?? {})) if (name.startsWith('@weft/')) dependencies[name] = version;
};
const edit = (file, change) => {
  const content = JSON.parse(readFileSync(join(root, file), 'utf8'));
  change(content);
  writeFileSync(join(root, file), `${JSON.stringify(content, undefined, 2)}\n`);
};

const { version: old } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const folders = [];
edit('package-lock.json', (lock) => {
  lock.version = version;
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path.includes('node_modules/')) continue;
    folders.push(path);
    update(entry);
  }
});
for (const folder of folders) edit(join(folder, 'package.json'), update);
for (const file of OTHERS) {
  const text = readFileSync(join(root, file), 'utf8');
  if (!text.includes(old)) throw new Error(`${file} does not name the version ${old}.`);
  writeFileSync(join(root, file), text.replaceAll(old, version));
}
console.log(`${folders.length} packages have version ${version}.`);
