import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { restClient } from '@weft/e2e/rest';
import { connect, node, type WorkflowFile } from '@weft/e2e/workflows';
import type { PodsScene } from './pods-scene';

const PER_SECOND = 20;
const TIMEOUT_MS = 40_000;
/** How long requests continue after an event under load, to catch late effects. */
const AFTER_MS = 5_000;
const MAX_NAMED = 5;
const PATH = 'pods/load';

/** One request with a wrong answer. */
interface Failure {
  readonly atMs: number;
  readonly what: string;
}

/** Outcome of a load. */
interface LoadResult {
  readonly sent: number;
  readonly failed: number;
  /** The first failures, each as a sentence. */
  readonly problems: readonly string[];
}

const WORKFLOW: WorkflowFile = {
  name: 'under load',
  nodes: [
    node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: PATH, responseMode: 'lastNode' }),
    node('End', 'noOp', 1, 200),
  ],
  connections: connect({ Hook: [['End']] }),
  settings: { executionOrder: 'v1' },
};

/** Stores the workflow that the load calls. */
export const prepareLoad = async (scene: PodsScene): Promise<void> => {
  const { status, text } = await restClient(scene.baseUrl, scene.apiKey)('POST', '/workflows', {
    ...WORKFLOW,
    active: true,
  });
  if (status !== 201) throw new Error(`The workflow of the load was not accepted: ${status} ${text}`);
};

interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
}

/** Requests answered in turn by gateway, workflows and credentials, and a run, which needs executions and a runner. */
const KINDS: readonly Asked[] = [
  { method: 'GET', path: '/api/v1/workflows?limit=1', body: '' },
  { method: 'POST', path: `/webhook/${PATH}`, body: '{"n":1}' },
];

/** @returns the error of the answer; empty if it is correct */
const ask = (scene: PodsScene, agent: Agent, { method, path, body }: Asked): Promise<string> =>
  new Promise((resolve) => {
    const headers = { 'x-svc-api-key': scene.apiKey, 'content-type': 'application/json' };
    const sent = request(`${scene.baseUrl}${path}`, { method, agent, headers, timeout: TIMEOUT_MS }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode === 200 ? '' : `${method} ${path}: ${answer.statusCode}`));
      answer.on('error', (error) => resolve(`${method} ${path}: ${error.message}`));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    sent.on('error', (error) => resolve(`${method} ${path}: ${error.message}`));
    sent.end(body);
  });

/** Sends 20 requests a second through the Service of the gateway while something happens, and a little longer. */
export const underLoad = async (scene: PodsScene, what: string, happen: () => Promise<void>): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true });
  const began = Date.now();
  const failures: Failure[] = [];
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  const timer = setInterval(() => {
    const asked = KINDS[sent % KINDS.length];
    if (asked === undefined) return;
    sent += 1;
    const atMs = Date.now() - began;
    const work: Promise<void> = ask(scene, agent, asked).then((wrong) => {
      underWay.delete(work);
      if (wrong !== '') failures.push({ atMs, what: wrong });
    });
    underWay.add(work);
  }, 1_000 / PER_SECOND);
  try {
    await happen();
    await sleep(AFTER_MS);
  } finally {
    clearInterval(timer);
    await Promise.all(underWay);
    agent.destroy();
  }
  const problems = failures.slice(0, MAX_NAMED).map((failure) => `${what}: ${failure.what} at ${failure.atMs} ms`);
  return { sent, failed: failures.length, problems };
};
