/*
 * Counts the distinct workflows below folders that use only known node kinds, and prints the missing types, those first
 * that most workflows need:
 *   node e2e/bin/count-known-kinds.mjs --node-types FILE [--without KIND,…] [--exclude FOLDER]… [--top N] FOLDER…
 * FILE is the response of GET /api/v1/node-types. Workflows are the same if their nodes have the same types and names,
 * whatever their notes; disabled nodes need no kind. Workflows of excluded folders are not counted.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Larger files are not workflows. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Maximum nesting of workflows within a file. */
const MAX_DEPTH = 4;
/** Older names of kinds. */
const ALIASES = { start: 'manualTrigger' };

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    'node-types': { type: 'string' },
    without: { type: 'string', default: '' },
    exclude: { type: 'string', multiple: true, default: [] },
    top: { type: 'string', default: '40' },
  },
});
if (values['node-types'] === undefined || folders.length === 0) {
  console.error('Usage: node e2e/bin/count-known-kinds.mjs --node-types FILE [--without KIND,…] FOLDER…');
  process.exit(2);
}

/** The kind of a type, whatever the prefix of its package; undefined for types of other packages. */
function kindOf(type) {
  const kind = /^[A-Za-z][\w-]*-nodes-base\.([A-Za-z]\w*)$/.exec(type)?.[1];
  const model = /^(?:@[a-z0-9-]+\/)?[A-Za-z][\w-]*-nodes-langchain\.([A-Za-z]\w*)$/.exec(type)?.[1];
  return model === undefined ? (ALIASES[kind] ?? kind) : `langchain.${model}`;
}

/** The workflows in a value: objects with nodes and connections, also in lists and the usual wrappers. */
function* workflowsIn(value, depth = 0) {
  if (depth > MAX_DEPTH || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const entry of value) yield* workflowsIn(entry, depth + 1);
  else if (Array.isArray(value.nodes) && typeof (value.connections ?? undefined) === 'object') yield value;
  else for (const name of ['workflow', 'data', 'workflows']) yield* workflowsIn(value[name], depth + 1);
}

function parsed(text) {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** The nodes of each workflow below a folder, without notes. Files that are not JSON are skipped. */
function* nodesOfWorkflows(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.json$/i.test(entry.name) || statSync(path).size > MAX_FILE_BYTES) continue;
    for (const { nodes } of workflowsIn(parsed(readFileSync(path, 'utf8')))) {
      const own = nodes.filter((node) => typeof node?.type === 'string' && !node.type.endsWith('.stickyNote'));
      if (own.length > 0) yield own;
    }
  }
}

function keyOf(nodes) {
  const pairs = [...new Set(nodes.map(({ type, name }) => `${type}\0${name}`))].sort();
  return createHash('sha256').update(pairs.join('\n')).digest('base64');
}

const without = new Set(values.without.split(','));
const { data } = JSON.parse(readFileSync(values['node-types'], 'utf8'));
const listed = data.filter(({ kind }) => !without.has(kind));
/** The tools of kinds are not listed. */
const tools = listed.filter(({ usableAsTool }) => usableAsTool !== undefined).map(({ kind }) => `${kind}Tool`);
const known = new Set([...listed.map(({ kind }) => kind), ...tools].filter((kind) => !without.has(kind)));
const seen = new Set();
for (const folder of values.exclude) for (const nodes of nodesOfWorkflows(folder)) seen.add(keyOf(nodes));
const missing = new Map();
const count = { read: 0, distinct: 0, known: 0 };
for (const folder of folders)
  for (const nodes of nodesOfWorkflows(folder)) {
    count.read += 1;
    const key = keyOf(nodes);
    if (seen.has(key)) continue;
    seen.add(key);
    count.distinct += 1;
    const needed = nodes.filter(({ disabled, type }) => disabled !== true && !known.has(kindOf(type)));
    const types = new Set(needed.map(({ type }) => kindOf(type) ?? type));
    if (types.size === 0) count.known += 1;
    for (const type of types) {
      const own = missing.get(type) ?? { workflows: 0, alone: 0 };
      missing.set(type, { workflows: own.workflows + 1, alone: own.alone + (types.size === 1 ? 1 : 0) });
    }
  }
console.log('workflows\tlacking nothing else\ttype');
for (const [type, { workflows, alone }] of [...missing]
  .sort(([a, one], [b, other]) => other.workflows - one.workflows || (a < b ? -1 : 1))
  .slice(0, Number(values.top)))
  console.log(`${workflows}\t${alone}\t${type}`);
const share = count.distinct === 0 ? 0 : (100 * count.known) / count.distinct;
console.log(
  `${count.known} of ${count.distinct} distinct workflows (${share.toFixed(1)} %), out of ${count.read} read, ` +
    `use only the ${known.size} known kinds.`,
);
