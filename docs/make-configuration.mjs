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
const row = (field) =>
  `| \`${field.env}\` | ${field.type.replaceAll('|', '\\|')} | ${shown(field)} | ` +
  `${field.secret ? 'Secret. ' : ''}${field.doc.replaceAll('|', '\\|')} |`;
const section = (service) => {
  const { config } = require(`../services/${service}/dist/src/config.js`);
  const rows = Object.values(config.table).map(row);
  return [`## ${service}`, '', '| variable | type | default | what it does |', '|---|---|---|---|', ...rows, ''];
};

const lines = [
  '# Configuration',
  '',
  "Made by `npm run docs:config` from each service's `src/config.ts`; a test compares it. Every service reads its " +
    'environment once, at start, and names all errors at once.',
  '',
  ...SERVICES.flatMap(section),
];
process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
