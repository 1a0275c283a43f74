/*
 * Generates the types of app documents from the schema, and from packages/apps/<app>/app.yaml the canonical JSON of the
 * apps and their list:
 *   npm run apps:gen
 * With --check, writes nothing and fails if a file is out of date.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { appTypes } from './generate-types.mjs';

const require = createRequire(import.meta.url);
const ROOT = join(import.meta.dirname, '../../..');
const APPS = join(ROOT, 'packages/apps');
const TYPES = join(ROOT, 'packages/app-model/src/app-document.gen.ts');
const isCheck = process.argv.includes('--check');
const stale = [];

async function write(path, text, parser = 'typescript') {
  const file = relative(ROOT, path);
  const written = await format(text, { ...(await resolveConfig(path)), parser });
  if (existsSync(path) && readFileSync(path, 'utf8') === written) return;
  if (isCheck) stale.push(file);
  else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, written);
  }
}

function readApp(name) {
  const { checkApp } = require('../dist/src/check.js');
  const path = join(APPS, name, 'app.yaml');
  const checked = checkApp(relative(ROOT, path), readFileSync(path, 'utf8'));
  if (checked.kind === 'app') {
    if (checked.app.name === name) return checked.app;
    throw new Error(`${relative(ROOT, path)}: the name of the app must be that of its folder, ${name}.`);
  }
  for (const { file, line, path: at, message } of checked.problems)
    process.stderr.write(`${file}:${line}: ${at}: ${message}\n`);
  process.exit(1);
}

function checkUnique(apps) {
  const owners = new Map();
  for (const app of apps)
    for (const kind of Object.keys(app.kinds)) {
      if (owners.has(kind)) throw new Error(`Both ${owners.get(kind)} and ${app.name} have the kind ${kind}.`);
      owners.set(kind, app.name);
    }
}

const head = (source) => `/* Generated from ${source} by \`npm run apps:gen\`. Do not edit. */\n`;

await write(TYPES, await appTypes());
if (process.argv.includes('--types')) process.exit(stale.length > 0 ? 1 : 0);

const names = readdirSync(APPS)
  .filter((name) => existsSync(join(APPS, name, 'app.yaml')))
  .sort();
const { canonicalJson, digestOf } = require('../dist/src/index.js');
const apps = names.map(readApp);
checkUnique(apps);
for (const app of apps) await write(join(APPS, `gen/${app.name}.json`), canonicalJson(app), 'json');
for (const file of existsSync(join(APPS, 'gen')) ? readdirSync(join(APPS, 'gen')) : [])
  if (!names.includes(file.replace('.json', ''))) {
    if (isCheck) stale.push(`packages/apps/gen/${file}`);
    else rmSync(join(APPS, 'gen', file));
  }
const entries = apps.map((app) => ({ name: app.name, kinds: Object.keys(app.kinds), digest: digestOf(app) }));
await write(
  join(APPS, 'src/apps.gen.ts'),
  `${head('packages/apps')}/** An app of the build. */\n` +
    'export interface AppEntry {\n  readonly name: string;\n  readonly kinds: readonly string[];\n' +
    '  /** Of its canonical JSON. */\n  readonly digest: string;\n}\n\n' +
    `/** All apps of the build. */\nexport const APPS: readonly AppEntry[] = ${JSON.stringify(entries)};\n`,
);
if (stale.length > 0) {
  process.stderr.write(`Out of date: ${stale.join(', ')}. Run \`npm run apps:gen\`.\n`);
  process.exitCode = 1;
}
