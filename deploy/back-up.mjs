#!/usr/bin/env node
// Backs up, verifies or restores the databases of all three services with a store, or removes old backups:
//   npm run back-up -- create FOLDER | verify FOLDER | restore FOLDER | prune FOLDER-OF-BACKUPS NUMBER-TO-KEEP
// MONGODB_URI names the server. For a service with a separate server or another database name, put the service in
// front: EXECUTIONS_MONGODB_URI, CREDENTIALS_MONGODB_DATABASE, WORKFLOWS_MONGODB_URI_FILE.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// The objects that an execution names are in databases copied later, so a restored execution finds them.
const READING = ['executions', 'workflows', 'credentials'];
const WRITING = [...READING].reverse();
const [command, folder, keep] = process.argv.slice(2);
const USAGE = 'Usage: npm run back-up -- create FOLDER | verify FOLDER | restore FOLDER | prune FOLDER NUMBER';

const fail = (sentence) => {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
};

/** The environment of one service: its specific variables override the general ones. */
const environmentOf = (service) => {
  const prefix = `${service.toUpperCase()}_MONGODB_`;
  const own = Object.entries(process.env).filter(([name]) => name.startsWith(prefix));
  const all = { ...process.env };
  // An address from a file and one from a variable are mutually exclusive.
  if (own.some(([name]) => name.startsWith(`${prefix}URI`))) {
    delete all.MONGODB_URI;
    delete all.MONGODB_URI_FILE;
  }
  return { ...all, ...Object.fromEntries(own.map(([name, value]) => [name.slice(service.length + 1), value])) };
};

const run = (step, service) => {
  const program = fileURLToPath(new URL(`../services/${service}/dist/src/back-up.js`, import.meta.url));
  if (!existsSync(program)) fail('Weft is not compiled. Run "npm ci --ignore-scripts" and "npm run build" first.');
  const { status } = spawnSync(process.execPath, [program, step, folder, ...(keep === undefined ? [] : [keep])], {
    env: environmentOf(service),
    stdio: 'inherit',
  });
  if (status !== 0) fail(`${step} failed at ${service}.`);
};

if (
  !['create', 'verify', 'restore', 'prune'].includes(command) ||
  !folder ||
  (command === 'prune') !== (keep !== undefined)
)
  fail(USAGE);
if (command === 'create' && existsSync(folder)) fail(`${folder} exists. Name a new folder for each back-up.`);
// Nothing is written before all three are known to be complete.
if (command === 'restore') for (const service of WRITING) run('verify', service);
// Any of the three programs prunes whole backups.
const services = { create: READING, prune: WRITING.slice(0, 1) };
for (const service of services[command] ?? WRITING) run(command, service);
