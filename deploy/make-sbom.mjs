#!/usr/bin/env node
// Writes the bill of materials of each service's image, in CycloneDX: npm run sbom -- FOLDER
// npm fetches CycloneDX's own tool in this version, since only a release needs it. It reads package-lock.json.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES } from './make-keys.mjs';
import { flatten, lockedName, nameOf, readJson } from './sbom.mjs';

const TOOL = '@cyclonedx/cyclonedx-npm@6.0.1';
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = process.argv[2];

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};
const lock = readJson(join(root, 'package-lock.json')).packages;

/** The folder in which Node finds a package: in the folder's node_modules or one above. */
const locate = (from, name) => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (lock[path] !== undefined) return lock[path].link ? lock[path].resolved : path;
    if (at === '') return undefined;
  }
};

/** Every package that a service needs to run, as `name@version`, by walking the lock: a check of the tool's answer. */
const needed = (service) => {
  const seen = new Set();
  const open = [`services/${service}`];
  while (open.length > 0) {
    const path = open.pop();
    if (path === undefined || seen.has(path)) continue;
    seen.add(path);
    for (const name of Object.keys(lock[path]?.dependencies ?? {})) open.push(locate(path, name));
  }
  return [...seen].filter((path) => path.includes('node_modules/')).map((path) => lockedName(path, lock[path]));
};

const check = (service, file) => {
  const { bomFormat, specVersion, components } = readJson(file);
  if (bomFormat !== 'CycloneDX') fail(`${file} is not in the format of CycloneDX.`);
  const all = flatten(components);
  const found = new Set(all.map(nameOf));
  const missing = needed(service).filter((name) => !found.has(name));
  if (missing.length > 0) fail(`${file} lacks what ${service} needs: ${missing.slice(0, 10).join(', ')}`);
  // Some old packages declare their licence in a form that the lock does not contain: look it up by hand.
  const unlicensed = all.filter(({ licenses = [] }) => licenses.length === 0).map(nameOf);
  const ofOthers = unlicensed.filter((name) => !name.startsWith('@weft/'));
  const remark = ofOthers.length === 0 ? '' : `; look up the licences of ${ofOthers.join(', ')}`;
  process.stdout.write(`${service}: ${all.length} components, CycloneDX ${specVersion}, ${file}${remark}\n`);
};

if (!folder) fail('Usage: npm run sbom -- FOLDER');
mkdirSync(folder, { recursive: true });
for (const service of [...SERVICES, 'operator']) {
  const file = resolve(folder, `weft-${service}.cdx.json`);
  const options = ['--package-lock-only', '--omit', 'dev', '--workspace', `services/${service}`];
  const output = ['--output-format', 'JSON', '--output-reproducible', '--output-file', file];
  const command = ['exec', '--yes', `--package=${TOOL}`, '--', 'cyclonedx-npm', ...options, ...output];
  const { status } = spawnSync('npm', command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) fail(`${TOOL} could not describe ${service}.`);
  check(service, file);
}
