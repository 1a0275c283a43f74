#!/usr/bin/env node
// Counts the workflows of a folder that use only node kinds which this version knows, and names those that are missing:
//   API_KEY=… node docs/count-known-kinds.mjs http://127.0.0.1:8080 ../shared/corpus/real-workflows
// The kinds are what GET /api/v1/node-types serves. Files named *.expected.json and those that are no workflow are
// left out.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [base, folder] = process.argv.slice(2);
if (base === undefined || folder === undefined) {
  console.error('Usage: API_KEY=… node docs/count-known-kinds.mjs <address of the gateway> <folder of workflows>');
  process.exit(2);
}

/** What activation knows: versions by kind, and the older names of kinds. */
async function knownKinds() {
  const address = new URL('/api/v1/node-types', base);
  const answer = await fetch(address, { headers: { 'x-svc-api-key': process.env.API_KEY ?? '' } });
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`);
  const { data } = await answer.json();
  return new Map([...data.map(({ kind, versions }) => [kind, versions]), ['start', [1]]]);
}

const workflows = readdirSync(folder, { recursive: true })
  .filter((name) => name.endsWith('.json') && !name.endsWith('.expected.json'))
  .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  .map((file) => file.workflow ?? file)
  .filter(({ nodes }) => Array.isArray(nodes));
const known = await knownKinds();
const kindOf = (type) => /(?:^|[-.])nodes-base\.(\w+)$/.exec(type)?.[1] ?? type;
const missingOf = ({ nodes }) => new Set(nodes.map(({ type }) => kindOf(type)).filter((kind) => !known.has(kind)));
const isOfKnownVersion = ({ type, typeVersion }) =>
  typeVersion === undefined || (known.get(kindOf(type))?.includes(typeVersion) ?? false);

const missing = workflows.map(missingOf);
const complete = workflows.filter((_, index) => missing[index].size === 0);
const current = complete.filter(({ nodes }) => nodes.every(isOfKnownVersion));
console.log(
  `${complete.length} of ${workflows.length} workflows use only known kinds, ${current.length} in known versions.`,
);

const kinds = [...new Set(missing.flatMap((set) => [...set]))].map((kind) => ({
  kind,
  unlocks: missing.filter((set) => set.size === 1 && set.has(kind)).length,
  uses: missing.filter((set) => set.has(kind)).length,
}));
kinds.sort((a, b) => b.unlocks - a.unlocks || b.uses - a.uses || (a.kind < b.kind ? -1 : 1));
console.log('Missing kinds: how many workflows lack this one alone, and how many use it.');
for (const { kind, unlocks, uses } of kinds)
  console.log(`${String(unlocks).padStart(4)} ${String(uses).padStart(4)}  ${kind}`);
