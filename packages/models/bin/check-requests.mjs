/*
 * Checks the requests that tests send in the formats of OpenAI against OpenAI's OpenAPI document, which the caller has:
 *   npm run check:model-requests -- DOCUMENT.json [--requests FILE]
 * Runs the tests that send them, and records their requests to the stand-in, unless FILE has requests that
 * MODEL_REQUESTS_FILE recorded. Compile first. Prints the faults of each field. Exits with 1 if there are any.
 */
import { Validator } from '@cfworker/json-schema';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf, fieldsOf, plainSchema } from './openapi-faults.mjs';

/** Schemas of the bodies of requests, by format. */
const SCHEMAS = { 'openai-chat': 'CreateChatCompletionRequest', 'openai-responses': 'CreateResponse' };
const TESTS = ['packages/models/dist', 'packages/nodes/dist/src/langchain', 'packages/nodes/dist/src/executors'];

const { values, positionals } = parseArgs({ options: { requests: { type: 'string' } }, allowPositionals: true });
const [file] = positionals;
if (file === undefined) {
  console.error('Usage: npm run check:model-requests -- DOCUMENT.json [--requests FILE]');
  process.exit(2);
}

const { schemas } = JSON.parse(readFileSync(file, 'utf8')).components;
const components = plainSchema({ schemas });
const checks = Object.fromEntries(
  Object.entries(SCHEMAS).map(([format, name]) => [
    format,
    {
      validator: new Validator({ $ref: `#/components/schemas/${name}`, components }, '2020-12', false),
      fields: fieldsOf(components.schemas, name),
    },
  ]),
);

const requests = readRequests(values.requests ?? record());
const faults = new Map();
const counts = {};
for (const { format, body } of requests) {
  const check = checks[format];
  if (check === undefined) continue;
  counts[format] = (counts[format] ?? 0) + 1;
  for (const fault of faultsOf(body, check)) {
    const found = faults.get(`${format} ${fault}`) ?? { count: 0, body };
    faults.set(`${format} ${fault}`, { ...found, count: found.count + 1 });
  }
}
for (const [fault, { count, body }] of faults)
  console.log(`${count} × ${fault}\n    ${JSON.stringify(body).slice(0, 400)}`);
console.log(
  Object.entries(counts)
    .map(([format, count]) => `${count} requests in ${format}`)
    .join(', '),
);
console.log(`${faults.size} faults`);
process.exitCode = faults.size === 0 && Object.keys(counts).length > 0 ? 0 : 1;

/** Runs the tests. @returns the distinct requests that they sent, as lines */
function record() {
  const folder = mkdtempSync(join(tmpdir(), 'weft-requests-'));
  const recorded = join(folder, 'requests.jsonl');
  try {
    const jest = ['jest', '--selectProjects', 'unit', '--maxWorkers=1', '--silent', '--testPathPatterns', ...TESTS];
    spawnSync('npx', jest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, MODEL_REQUESTS_FILE: recorded },
    });
    return recorded;
  } finally {
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  }
}

function readRequests(path) {
  const lines = new Set(
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  );
  return [...lines].map((line) => JSON.parse(line));
}
