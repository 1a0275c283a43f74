#!/usr/bin/env node
// Prints docs/configuration.md from the configuration tables of the built services: npm run docs:config
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const SERVICES = ['gateway', 'workflows', 'executions', 'credentials', 'runner'];

const shown = (field) => {
  if (field.default === undefined) return '**required**';
  const text = Array.isArray(field.default) ? field.default.join(',') : String(field.default);
  return text === '' ? 'empty' : `\`${text === 'true' ? 'on' : text === 'false' ? 'off' : text}\``;
};
const kindOf = ({ secret, fromFile, live }) =>
  `${secret ? 'Secret. ' : fromFile ? 'From a file too. ' : ''}${live ? 'Live from a file. ' : ''}`;
const row = (field) =>
  `| \`${field.env}\` | ${field.type.replaceAll('|', '\\|')} | ${shown(field)} | ` +
  `${kindOf(field)}${field.doc.replaceAll('|', '\\|')} |`;
const section = (service) => {
  const { config } = require(`../services/${service}/dist/src/config.js`);
  const rows = Object.values(config.table)
    .filter(({ internal }) => !internal)
    .map(row);
  return [`## ${service}`, '', '| variable | type | default | what it does |', '|---|---|---|---|', ...rows, ''];
};

const lines = [
  '# Configuration',
  '',
  "Made by `npm run docs:config` from each service's `src/config.ts`; a test compares it. Every service reads its " +
    'environment once, at start, and names all errors at once.',
  '',
  [
    'A variable marked as secret may come from a file instead: `SERVICE_KEY_FILE=/path` in place of `SERVICE_KEY`.',
    'A line end at the end of the file does not count, and a missing file is an unset variable. Where it says *live*,',
    'a file that is replaced takes effect within seconds, without a restart, all files of a process together; one that',
    'cannot be used is named in the log, and the former value stays.',
  ].join(' '),
  '',
  ...SERVICES.flatMap(section),
];
process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
