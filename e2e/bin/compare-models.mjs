/*
 * Runs workflows with models in Weft and in n8n 2.41.1, both against the stand-in for model services, and compares the
 * requests, the items, and the runs of nodes:
 *   node e2e/bin/compare-models.mjs N8N_FOLDER [--only TEXT] [--json FILE]
 * N8N_FOLDER has node_modules/n8n (npm install --prefix N8N_FOLDER n8n@2.41.1). Compile first. Prints a table. Exits
 * with 1 if a difference is not intended.
 */
import { startPostgresServer, startStack } from '@weft/local-stack';
import { serveModels } from '@weft/models/testing';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createN8nKey } from '../../packages/bench/dist/src/n8n/n8n-key.js';
import { checkN8n, startN8n } from '../../packages/bench/dist/src/n8n/n8n-process.js';
import { AGENT_CASES } from '../dist/src/support/compare-models/cases-agents.js';
import { CHAIN_CASES } from '../dist/src/support/compare-models/cases-chains.js';
import { MODEL_CASES } from '../dist/src/support/compare-models/cases-models.js';
import { TOOL_CASES } from '../dist/src/support/compare-models/cases-tools.js';
import { VENDOR_CASES } from '../dist/src/support/compare-models/cases-vendors.js';
import { differencesOf } from '../dist/src/support/compare-models/compare-case.js';
import { prepare, runCase } from '../dist/src/support/compare-models/run-case.js';
import { startHost } from '../dist/src/support/hostile-models/hostile-services.js';

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' }, json: { type: 'string' } },
  allowPositionals: true,
});
const [folder] = positionals;
if (folder === undefined) {
  console.error('Usage: node e2e/bin/compare-models.mjs N8N_FOLDER [--only TEXT] [--json FILE]');
  process.exit(2);
}
checkN8n(folder);

const cases = [...AGENT_CASES, ...CHAIN_CASES, ...TOOL_CASES, ...MODEL_CASES, ...VENDOR_CASES].filter(({ name }) =>
  name.includes(values.only),
);
const toolHost = await startHost('127.0.0.1', () => ({ body: '{"name":"Paris","people":2}' }));
const models = await Promise.all([serveModels(), serveModels()]);
const note = (line) => process.stderr.write(`${line}\n`);
const stack = await startStack({
  env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' }, credentials: { RATE_LIMIT_PER_MINUTE: '0' } },
});
let n8n;
const results = [];
try {
  n8n = await startN8n(folder, startPostgresServer, note);
  const weft = {
    name: 'weft',
    baseUrl: stack.baseUrls[0],
    headers: { 'x-svc-api-key': stack.apiKey },
    models: models[0],
    tool: toolHost.url,
  };
  const other = {
    name: 'n8n',
    baseUrl: n8n.baseUrl,
    headers: { 'x-n8n-api-key': await createN8nKey(n8n.baseUrl) },
    models: models[1],
    tool: toolHost.url,
  };
  const ids = [await prepare(weft), await prepare(other)];
  for (const [at, one] of cases.entries()) {
    const both = [];
    for (const [index, program] of [weft, other].entries())
      both.push(
        await runCase(program, ids[index], one, `compare-${at}`).catch((error) => ({
          requests: [],
          items: [String(error)],
          runs: [],
        })),
      );
    const differences = differencesOf(one, both[0], both[1]);
    results.push({ name: one.name, differences });
    const mark = (part) => {
      if (!differences.some((each) => each.part === part))
        return one.intended?.[part] === undefined ? 'same' : 'same (!)';
      return one.intended?.[part] === undefined ? 'DIFFERENT' : `intended: ${one.intended[part]}`;
    };
    console.log(`| ${one.name} | ${mark('requests')} | ${mark('items')} | ${mark('runs')} |`);
    if (differences.some(({ part }) => one.intended?.[part] === undefined)) process.exitCode = 1;
  }
} finally {
  await n8n?.stop();
  await stack.stop();
  await Promise.all(models.map((each) => each.close()));
  await toolHost.stop();
}
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(results, null, 2));
const same = results.filter(({ differences }) => differences.length === 0).length;
console.log(`\n${results.length} workflows, ${same} without a difference.`);
