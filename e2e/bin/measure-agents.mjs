/*
 * Runs many agents at the same time on the stand-in for model services:
 *   node e2e/bin/measure-agents.mjs [AGENTS]      (1,000 if absent)
 * Compile first. A separate stack with one runner runs four loads: agents that wait for their model, each of which
 * holds a slot; and agents that hold none, as their tool calls a workflow that waits, waits for approval, or is
 * followed by a Wait node. Prints the runs that hold a slot, the memory of the runner for each agent, and the load.
 * Exits with 1 if a run fails, a slot is held by a run that waits, or a model call holds none.
 */
import { startStack } from '@weft/local-stack';
import { serveModels } from '@weft/models/testing';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../dist/src/support/agents.js';
import { callWebhook, restClient } from '../dist/src/support/rest.js';
import { chain, node, smallWorkflow } from '../dist/src/support/workflows.js';

const agents = Number(process.argv[2] ?? 1000);
/** How long the model keeps each agent waiting in the first load. */
const MODEL_MS = 4_000;
const AT_ONCE = 50;
const LIMIT_MS = 400_000;

const models = await serveModels();
const stack = await startStack({
  env: {
    runner: { OUTBOUND_ALLOW: '127.0.0.1' },
    credentials: { RATE_LIMIT_PER_MINUTE: '0' },
  },
});
const [base = ''] = stack.baseUrls;
const rest = restClient(base, stack.apiKey);
const [runner] = stack.of('runner');
const faults = [];

/** Resident memory of the runner in MiB. */
const memory = () =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${runner.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
const countOf = async (workflowId, status) => {
  let count = 0;
  let cursor = '';
  do {
    const query = new URLSearchParams({ workflowId, status, limit: '100', ...(cursor === '' ? {} : { cursor }) });
    const { json } = await rest('GET', `/executions?${query}`);
    count += json.data.length;
    cursor = json.nextCursor ?? '';
  } while (cursor !== '');
  return count;
};
const until = async (what, look) => {
  const began = performance.now();
  while (!(await look())) {
    if (performance.now() - began > LIMIT_MS) throw new Error(`Waited too long: ${what}.`);
    await sleep(500);
  }
};
/** Calls the webhook of a workflow for each agent, at most 50 calls at once. */
const startAll = async (path) => {
  let next = 0;
  const worker = async () => {
    while (next < agents) {
      const n = next++;
      const { status } = await callWebhook(base, path, { n });
      if (status !== 200) faults.push(`start ${n}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};
const hook = (path) => node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'onReceived' });
const agentOf = (path, credential, tool) => ({
  name: path,
  nodes: [
    hook(path),
    modelNode('Agent', 'agent', 3.1, { promptType: 'define', text: '=Agent {{ $json.body.n }}.' }),
    chatModel(credential),
    ...(tool === undefined ? [] : [tool]),
  ],
  connections: {
    Hook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
    ...attach([
      ['Model', 'ai_languageModel', 'Agent'],
      ...(tool === undefined ? [] : [[tool.name, 'ai_tool', 'Agent']]),
    ]),
  },
});

try {
  const credential = await openAiCredential(rest, `${models.url}/v1`);
  await activate(rest, smallWorkflow('beside-agents'));
  for (let n = 0; n < 20; n += 1) await callWebhook(base, 'beside-agents', { n });
  const idle = memory();
  console.log(`${agents} agents; runner idle: ${idle} MiB`);

  const asked = await activate(rest, agentOf('asking-agents', credential));
  const answer = { answer: { text: 'Done. '.repeat(40), usage: { input: 20, output: 40 } } };
  models.play({ ...answer, delivery: { chunkBytes: 150, pauseMs: MODEL_MS / 4 } });
  let most = { busy: 0, memory: idle };
  let isOver = false;
  const watch = (async () => {
    while (!isOver) {
      const running = await countOf(asked, 'running');
      most = { busy: Math.max(most.busy, running), memory: Math.max(most.memory, memory()) };
      await sleep(1_000);
    }
  })();
  const began = performance.now();
  await startAll('asking-agents');
  await until('agents that answer', async () => (await countOf(asked, 'success')) >= agents);
  isOver = true;
  await watch;
  const each = Math.round(((most.memory - idle) * 1024) / most.busy);
  console.log(
    `waiting for a model: ${most.busy} run at most, runner ${most.memory} MiB at most, ${each} KiB for each ` +
      `of them, all done after ${Math.round((performance.now() - began) / 1000)} s`,
  );
  if (models.seen.length !== agents) faults.push(`${models.seen.length} calls of the model in place of ${agents}`);

  if (most.busy === 0) faults.push('no slot was held by agents that wait for their model');

  const waitNode = (id) =>
    node('Wait', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 1, unit: 'hours' }, { webhookId: id });
  const called = await activate(
    rest,
    chain('Waiting', [
      node('Start', 'executeWorkflowTrigger', 1.1, 0, { inputSource: 'passthrough' }),
      waitNode('wait-agents'),
    ]),
  );
  const callsWorkflow = modelNode('Ask', 'toolWorkflow', 2.2, {
    description: 'Asks a workflow.',
    source: 'database',
    workflowId: { __rl: true, mode: 'id', value: called },
  });
  const needsApproval = {
    ...node('Ask', 'httpRequestTool', 4.2, 0, { url: `=${models.url}/{{ $fromAI('query') }}` }),
    approval: 'required',
  };
  const withWait = agentOf('wait-node-agents', credential);
  const loads = [
    ['a sub-workflow', agentOf('sub-workflow-agents', credential, callsWorkflow)],
    ['an approval', agentOf('approval-agents', credential, needsApproval)],
    [
      'a Wait node',
      {
        ...withWait,
        nodes: [...withWait.nodes, waitNode('wait-node')],
        connections: { ...withWait.connections, Agent: { main: [[{ node: 'Wait', type: 'main', index: 0 }]] } },
      },
    ],
  ];
  for (const [what, workflow] of loads) {
    const rested = memory();
    const parked = await activate(rest, workflow);
    const isTool = what !== 'a Wait node';
    models.play(
      isTool
        ? { answer: { toolCalls: [{ id: 'call_1', name: 'Ask', input: { input: 'Now?', query: 'now' } }] } }
        : answer,
    );
    await startAll(workflow.name);
    await until(`agents that wait for ${what}`, async () => (await countOf(parked, 'waiting')) >= agents);
    await sleep(2_000);
    const held = await countOf(parked, 'running');
    const from = performance.now();
    const { status } = await callWebhook(base, 'beside-agents', { n: 1 });
    console.log(
      `waiting for ${what}: ${held} of ${agents} hold a slot, runner ${memory()} MiB (${rested} before), ` +
        `another webhook answers ${status} after ${Math.round(performance.now() - from)} ms`,
    );
    if (held > 0) faults.push(`${held} slots are held by runs that wait for ${what}`);
  }
} finally {
  await stack.stop();
  await models.close();
}
console.log(
  `load of the machine: ${loadavg()
    .map((load) => load.toFixed(1))
    .join(', ')}`,
);
for (const fault of faults) console.log(fault);
process.exit(faults.length > 0 ? 1 : 0);
