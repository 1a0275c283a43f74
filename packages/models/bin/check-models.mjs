// Installs the SDKs of packages/models/check into .weft, and compares them with Weft's client. See check/agree.mjs.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bootstrap } from '../../local-stack/bin/bootstrap.mjs';

const models = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(models, '../../.weft/check-models');

const testing = await bootstrap('packages/models/dist/src/testing/index.js');
const { createChatModel } = await bootstrap('packages/models/dist/src/index.js');
const { createOutboundClient } = await bootstrap('packages/outbound/dist/src/index.js');

mkdirSync(folder, { recursive: true });
cpSync(join(models, 'check'), folder, { recursive: true });
const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
const stamp = join(folder, 'installed');
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== lock) {
  console.error('installing the SDKs (npm ci)');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', ...options], { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  writeFileSync(stamp, lock);
}

const { agree } = await import(pathToFileURL(join(folder, 'agree.mjs')).href);
process.exitCode = (await agree({ ...testing, createChatModel, createOutboundClient })) ? 0 : 1;
