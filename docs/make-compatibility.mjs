#!/usr/bin/env node
// Regenerates the tables of node kinds and of their faults in docs/compatibility.md from the built catalogue and the
// lists of its tests: npm run docs:nodes
// With --print it prints the whole page instead of writing it.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { KIND_TABLE } = require('../packages/nodes/dist/src/descriptors/index.js');
// cases hold matchers of jest; nothing is compared with them here
globalThis.expect = new Proxy({}, { get: () => () => undefined });
const { coverageOf } = require('../packages/nodes/dist/src/testing/cases/coverage.js');
const KINDS = [...KIND_TABLE.values()];
const { SERVER_RUNS } = require('../packages/nodes/dist/src/testing/servers/server-runs.js');
const { DEAD_AND_SLOW, FAULT_TESTS } = require('../packages/nodes/dist/src/testing/servers/server-tests.js');
const page = new URL('compatibility.md', import.meta.url);

/** Refused values of a parameter and of those below it: [name of the value, reason]. */
const refusals = (parameter) => [
  ...(parameter.refused === undefined ? [] : [[parameter.label, parameter.refused]]),
  ...(parameter.options ?? []).flatMap((option) =>
    option.refused === undefined ? [] : [[`${parameter.label}: ${option.label}`, option.refused]],
  ),
  ...(parameter.fields ?? []).flatMap(refusals),
  ...(parameter.groups ?? []).flatMap((group) => group.fields.flatMap(refusals)),
];
/** True for the reason of an operation that an app does not build. */
const isNotBuilt = (why) => why.includes(' is not available yet. Call the API with ');
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
const refused = (kind) => {
  const found = [...new Map(kind.parameters.flatMap(refusals))];
  const others = found.filter(([, why]) => !isNotBuilt(why)).map(([what, why]) => cell(`${what}: ${why}`));
  const anchor = `${kind.label} ${kind.kind}`.toLowerCase().replaceAll(' ', '-');
  const missing = found.length > others.length ? [`Operations that are [not built](nodes.md#${anchor}).`] : [];
  return [...missing, ...others].join(' ');
};
const row = (kind) => `| \`${kind.kind}\` | ${kind.versions.join(', ')} | ${refused(kind)} |`;
const table = ['| kind | versions | refused on activation and start |', '|---|---|---|', ...KINDS.map(row)].join('\n');

const testCell = (one) =>
  typeof one === 'string'
    ? one
    : `[${one[0].replace(/^(src|test)\//, '')}](../packages/nodes/${one[0]}): "${cell(one[1])}"`;
const operations = (kind) => {
  const covered = coverageOf(kind);
  const onServer = covered.filter(({ hasServerTest }) => hasServerTest).length;
  const shown = covered.filter(({ cases, hasServerTest }) => cases > 0 || hasServerTest).length;
  return `${shown} of ${covered.length}${onServer === 0 ? '' : `, ${onServer} on a real server`}`;
};
const talks = new Set(SERVER_RUNS.map(({ kind }) => kind));
const faultRow = ([name, { badCredentials, hostileNames, injection }]) => {
  const kind = KINDS.find((one) => one.kind === name);
  const servers = talks.has(name) ? 'all three' : 'It talks to no server.';
  const cells = [badCredentials, hostileNames, injection].map(testCell);
  const row = [`\`${name}\``, kind.versions.join(', '), operations(kind), cells[0], servers, cells[1], cells[2]];
  return `| ${row.join(' | ')} |`;
};
const faults = [
  '| kind | versions | operations × versions | bad credentials | dead, silent and slow server ' +
    '| hostile names | injection |',
  '|---|---|---|---|---|---|---|',
  ...Object.entries(FAULT_TESTS)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(faultRow),
  '',
  `Dead, silent and slow: ${Object.values(DEAD_AND_SLOW).map(testCell).join('; ')}.`,
].join('\n');

/** The page with what stands between two marks replaced. */
const between = (text, name, made) => {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`docs/compatibility.md has lost its marks ${begin} and ${end}.`);
  return `${text.slice(0, before)}${begin}\n${made}\n${text.slice(after)}`;
};
const made = between(between(readFileSync(page, 'utf8'), 'kinds', table), 'faults', faults);
if (process.argv.includes('--print')) process.stdout.write(made);
else writeFileSync(page, made);
