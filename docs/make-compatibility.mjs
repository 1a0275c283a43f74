#!/usr/bin/env node
// Writes the table of node kinds in docs/compatibility.md anew from the built catalogue: npm run docs:nodes
// With --print it prints the whole page instead of writing it.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { KINDS } = require('../packages/nodes/dist/src/descriptors/index.js');
const page = new URL('compatibility.md', import.meta.url);
const [BEGIN, END] = ['<!-- kinds -->', '<!-- end of kinds -->'];

/** What is refused in a parameter and below it: [name of the value, why]. */
const refusals = (parameter) => [
  ...(parameter.refused === undefined ? [] : [[parameter.label, parameter.refused]]),
  ...(parameter.options ?? []).flatMap((option) =>
    option.refused === undefined ? [] : [[`${parameter.label}: ${option.label}`, option.refused]],
  ),
  ...(parameter.fields ?? []).flatMap(refusals),
  ...(parameter.groups ?? []).flatMap((group) => group.fields.flatMap(refusals)),
];
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const refused = (kind) => {
  const found = new Map(kind.parameters.flatMap(refusals));
  return [...found].map(([what, why]) => cell(`${what}: ${why}`)).join(' ');
};
const row = (kind) => `| \`${kind.kind}\` | ${kind.versions.join(', ')} | ${refused(kind)} |`;
const table = ['| kind | versions | refused on activation and start |', '|---|---|---|', ...KINDS.map(row)].join('\n');

const text = readFileSync(page, 'utf8');
const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
if (before < 0 || after < before) throw new Error(`docs/compatibility.md has lost its marks ${BEGIN} and ${END}.`);
const made = `${text.slice(0, before)}${BEGIN}\n${table}\n${text.slice(after)}`;
if (process.argv.includes('--print')) process.stdout.write(made);
else writeFileSync(page, made);
