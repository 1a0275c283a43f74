/*
 * Generates the types of app documents from the schema, and the apps of the build from packages/apps/<app>/app.yaml:
 *   npm run apps:gen
 * With --check, writes nothing and fails if a file is out of date.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
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

async function write(path, text) {
  const file = relative(ROOT, path);
  const written = await format(text, { ...(await resolveConfig(path)), parser: 'typescript' });
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

const constantOf = (name) => name.replaceAll(/-(\w)/g, (_all, letter) => letter.toUpperCase());
const head = (source) => `/* Generated from ${source} by \`npm run apps:gen\`. Do not edit. */\n`;

await write(TYPES, await appTypes());
if (process.argv.includes('--types')) process.exit(stale.length > 0 ? 1 : 0);

const names = readdirSync(APPS)
  .filter((name) => existsSync(join(APPS, name, 'app.yaml')))
  .sort();
const { kindsOf } = require('../dist/src/check.js');
const { digestOf } = require('../dist/src/index.js');
const apps = names.map(readApp);
checkUnique(apps);
for (const app of apps) {
  const source = `packages/apps/${app.name}/app.yaml`;
  const constant = constantOf(app.name);
  await write(
    join(APPS, `src/gen/${app.name}.gen.ts`),
    `${head(source)}import type { AppDocument } from '@weft/app-model';\n` +
      `/** Digest: ${digestOf(app)} */\n` +
      `export const ${constant}: AppDocument = ${JSON.stringify(app)};\n`,
  );
  await write(
    join(APPS, `src/gen/${app.name}-kinds.gen.ts`),
    `${head(source)}import type { KindDescriptor } from '@weft/node-catalogue';\n` +
      `export const ${constant}Kinds: readonly KindDescriptor[] = ${JSON.stringify(kindsOf(app))};\n`,
  );
}
await write(
  join(APPS, 'src/kinds.gen.ts'),
  `${head('packages/apps')}import type { KindDescriptor } from '@weft/node-catalogue';\n` +
    apps.map(({ name }) => `import { ${constantOf(name)}Kinds } from './gen/${name}-kinds.gen';\n`).join('') +
    '/** The node kinds of all apps of the build. */\n' +
    `export const APP_KINDS: readonly KindDescriptor[] = [${apps
      .map(({ name }) => `...${constantOf(name)}Kinds`)
      .join(', ')}];\n`,
);
await write(
  join(APPS, 'src/documents.gen.ts'),
  `${head('packages/apps')}import type { AppDocument } from '@weft/app-model';\n` +
    apps.map(({ name }) => `import { ${constantOf(name)} } from './gen/${name}.gen';\n`).join('') +
    '/** All apps of the build. */\n' +
    `export const APP_DOCUMENTS: readonly AppDocument[] = [${apps.map(({ name }) => constantOf(name)).join(', ')}];\n`,
);
if (stale.length > 0) {
  process.stderr.write(`Out of date: ${stale.join(', ')}. Run \`npm run apps:gen\`.\n`);
  process.exitCode = 1;
}
