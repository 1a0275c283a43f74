#!/usr/bin/env node
// Compares the contents of each service's image with its SBOM, and looks for the source maps of its code:
// npm run check:images [-- SERVICE...]
// It makes the folders of the images as the Dockerfile does, from a compiled checkout. It needs git and npm's registry.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES } from './make-keys.mjs';
import { flatten, installedIn, lockedName, nameOf, readJson } from './sbom.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const MAX_NAMED = 10;
const services = process.argv.length > 2 ? process.argv.slice(2) : [...SERVICES, 'operator'];

const run = (command, args, cwd) => {
  const { status, stdout } = spawnSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}.`);
  return stdout;
};

/** Folders of this repository's code. */
const ownFolders = () => [
  'proto',
  ...['packages', 'services'].flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name))),
];

/** Copies the files that the Dockerfile copies, as far as git knows them, and their compiled output. */
const copyCheckout = (folder) => {
  const paths = ['package.json', 'package-lock.json', '.npmrc', 'proto', 'packages', 'services', 'e2e/package.json'];
  for (const file of run('git', ['ls-files', '-z', '--', ...paths], root)
    .split('\0')
    .filter(Boolean)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  for (const dist of ownFolders().map((own) => join(own, 'dist')))
    if (existsSync(join(root, dist))) cpSync(join(root, dist), join(folder, dist), { recursive: true });
};

/** @returns sentences on compiled code of this repository without a source map */
const missingMaps = (service, image) => {
  const own = ownFolders().map((folder) => join(image, folder, 'dist'));
  const compiled = own
    .filter(existsSync)
    .flatMap((dist) => readdirSync(dist, { recursive: true }).map((file) => join(dist, file)))
    // The console's bundle is minified for browsers, and has no map.
    .filter((file) => file.endsWith('.js') && !file.includes('/console/dist/app/'));
  const without = compiled.filter((file) => !existsSync(`${file}.map`));
  process.stdout.write(`${service}: ${compiled.length} compiled files, ${without.length} without a source map\n`);
  if (compiled.length === 0) return [`The image of ${service} has no compiled code: run npx tsc -b first`];
  return without.length > 0
    ? [`The image of ${service} lacks source maps: ${without.slice(0, MAX_NAMED).join(', ')}`]
    : [];
};

/** Packages that the lock file calls optional: those of other platforms are not installed. */
const optional = new Set(
  Object.entries(readJson(join(root, 'package-lock.json')).packages)
    .filter(([, entry]) => entry.optional || entry.peer)
    .map(([path, entry]) => lockedName(path, entry)),
);

/** @returns the packages that only the image or only its SBOM has, as sentences */
const compare = (service, described, image) => {
  const installed = new Set(installedIn(image));
  const named = (names) => names.slice(0, MAX_NAMED).join(', ') + (names.length > MAX_NAMED ? ', ...' : '');
  const unknown = [...installed].filter((name) => !described.has(name));
  const missing = [...described].filter((name) => !installed.has(name) && !optional.has(name));
  process.stdout.write(`${service}: ${installed.size} packages installed, ${described.size} described\n`);
  return [
    ...(unknown.length > 0 ? [`The image of ${service} holds what its SBOM does not name: ${named(unknown)}`] : []),
    ...(missing.length > 0 ? [`The SBOM of ${service} names what its image does not hold: ${named(missing)}`] : []),
  ];
};

const folder = mkdtempSync(join(tmpdir(), 'weft-images-'));
try {
  process.stdout.write(run('node', [join(root, 'deploy/make-sbom.mjs'), join(folder, 'sbom')], root));
  const problems = services.flatMap((service) => {
    const image = join(folder, service);
    copyCheckout(image);
    run('sh', [join(root, 'deploy/docker/strip.sh'), `services/${service}`], image);
    const { components } = readJson(join(folder, 'sbom', `weft-${service}.cdx.json`));
    return [...compare(service, new Set(flatten(components).map(nameOf)), image), ...missingMaps(service, image)];
  });
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
