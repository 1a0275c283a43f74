/*
 * Measures the time from the moment at which a model service sends a part of its answer until the caller of a streaming
 * webhook has it:
 *   node e2e/bin/measure-streams.mjs [RUNS]       (100 if absent)
 * Compile first. A separate stack, which does nothing else; one run at a time. The time includes the connection from
 * the model service to the runner. Exits with 1 if the first part takes more than 20 ms in more than half of the runs.
 */
import { startStack } from '@weft/local-stack';
import { loadavg } from 'node:os';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../dist/src/support/agents.js';
import { restClient } from '../dist/src/support/rest.js';
import { delaysOf, readLines, startTimedModel } from '../dist/src/support/streams/timed-model.js';
import { node } from '../dist/src/support/workflows.js';

const runs = Number(process.argv[2] ?? 100);
const TARGET_MS = 20;
const WARM_UP = 20;

const model = await startTimedModel({ parts: 6, pauseMs: 60 });
const stack = await startStack({
  env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' }, credentials: { RATE_LIMIT_PER_MINUTE: '0' } },
});
const figures = (name, values) => {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
  console.log(`${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, max ${at(1)} ms (${sorted.length} parts)`);
  return Number(at(0.5));
};
let p50;
try {
  const [base = ''] = stack.baseUrls;
  const rest = restClient(base, stack.apiKey);
  const credential = await openAiCredential(rest, `${model.url}/v1`);
  await activate(rest, {
    name: 'Streams',
    nodes: [
      node('Hook', 'webhook', 2.1, 0, { path: 'streams', httpMethod: 'POST', responseMode: 'streaming' }),
      modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'What time is it?' }),
      chatModel(credential),
    ],
    connections: {
      Hook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
      ...attach([['Model', 'ai_languageModel', 'Agent']]),
    },
  });
  const first = [];
  const later = [];
  for (let run = -WARM_UP; run < runs; run += 1) {
    const lines = await readLines(await fetch(`${base}/webhook/streams`, { method: 'POST', body: '{}' }));
    const [head, ...rest_] = delaysOf(lines);
    if (run < 0) continue;
    if (head === undefined || lines.some(({ chunk }) => chunk.type === 'error')) throw new Error(JSON.stringify(lines));
    first.push(head);
    later.push(...rest_);
  }
  p50 = figures('first part', first);
  figures('later parts', later);
} finally {
  await stack.stop();
  await model.stop();
}
console.log(
  `load of the machine: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
);
process.exit(p50 > TARGET_MS ? 1 : 0);
