/*
 * Compares POST /workflows/check with what really happens to the workflow files of a folder and to mutations of them:
 *   WEFT_API_KEY=… node e2e/bin/compare-checks.mjs http://127.0.0.1:8080 FOLDER [MUTATIONS]
 * Stores, activates and deletes each workflow, so use an instance for tests, with RATE_LIMIT_PER_MINUTE=0. Compile
 * first. Exits with 1 if a check was wrong.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { compareChecks, mutationsOf } from '../dist/src/support/compare-checks.js';
import { restClient } from '../dist/src/support/rest.js';

const [baseUrl, folder, mutations = '200'] = process.argv.slice(2);
const apiKey = process.env.WEFT_API_KEY;
if (baseUrl === undefined || folder === undefined || apiKey === undefined) {
  console.error('Usage: WEFT_API_KEY=… node e2e/bin/compare-checks.mjs BASE_URL FOLDER [MUTATIONS]');
  process.exit(2);
}

const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter(({ name }) => name.endsWith('.json'))
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
  .flatMap((path) => {
    const file = JSON.parse(readFileSync(path, 'utf8'));
    const workflow = file.workflow ?? file;
    if (!Array.isArray(workflow.nodes)) return [];
    const name = relative(folder, path);
    return [{ name, definition: { ...workflow, name: workflow.name ?? name } }];
  });
const rest = restClient(baseUrl, apiKey);
const began = performance.now();
for (const [what, all] of [
  ['files', found],
  ['mutations', mutationsOf(found, Number(mutations))],
]) {
  const { runnable, refused, differences } = await compareChecks(rest, all);
  for (const difference of differences) console.log(difference);
  console.log(`${what}: ${runnable} runnable, ${refused} refused, ${differences.length} checks were wrong.`);
  if (differences.length > 0) process.exitCode = 1;
}
console.log(`${Math.round((performance.now() - began) / 1000)} s`);
