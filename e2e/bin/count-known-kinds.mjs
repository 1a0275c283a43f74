/*
 * Counts the workflow files of a folder that use only node kinds and versions of a running instance, as
 * `GET /api/v1/node-types` states them:
 *   WEFT_API_KEY=… node e2e/bin/count-known-kinds.mjs http://127.0.0.1:8080 FOLDER
 * Prints the kinds that are missing, those first that most files need.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [baseUrl, folder] = process.argv.slice(2);
const apiKey = process.env.WEFT_API_KEY;
if (baseUrl === undefined || folder === undefined || apiKey === undefined) {
  console.error('Usage: WEFT_API_KEY=… node e2e/bin/count-known-kinds.mjs BASE_URL FOLDER');
  process.exit(2);
}

const answer = await fetch(`${baseUrl}/api/v1/node-types`, { headers: { 'x-svc-api-key': apiKey } });
if (!answer.ok) throw new Error(`GET /node-types was answered ${answer.status}: ${await answer.text()}`);
const { data } = await answer.json();
const versions = new Map(data.map((kind) => [kind.kind, new Set(kind.versions)]));
// the older name of the manual trigger
versions.set('start', versions.get('manualTrigger'));

/** Any prefix that ends so will do; packages of others are other kinds. */
const isKnown = ({ type, typeVersion = 1 }) => {
  const [prefix, kind] = String(type).split('.');
  return prefix === 'n8n-nodes-base' && versions.get(kind)?.has(typeVersion) === true;
};

const missing = new Map();
let known = 0;
let all = 0;
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.name.endsWith('.json')) continue;
  const file = JSON.parse(readFileSync(join(entry.parentPath, entry.name), 'utf8'));
  const { nodes } = file.workflow ?? file;
  if (!Array.isArray(nodes)) continue;
  all += 1;
  const unknown = new Set(
    nodes.filter((node) => !isKnown(node)).map((node) => `${node.type} ${node.typeVersion ?? 1}`),
  );
  if (unknown.size === 0) known += 1;
  for (const kind of unknown) missing.set(kind, (missing.get(kind) ?? 0) + 1);
}
for (const [kind, count] of [...missing].sort((one, other) => other[1] - one[1])) console.log(`${count}\t${kind}`);
console.log(`${known} of ${all} workflows use only known kinds and versions.`);
