import { type Report, StackError, waitUntil } from '@weft/local-stack';
import { canLimitMemory } from '../node/memory-group';
import { HOSTILE } from '@weft/e2e/hostile-workflows';
import { callWebhook, dataOf, restClient, textOf, type Rest } from '@weft/e2e/rest';
import { node, smallWorkflow, type WorkflowFile } from '@weft/e2e/workflows';
import type { PodsScene } from './pods-scene';

const MIB = 1024 * 1024;
/** For each gateway: the time for which it receives refused bodies is bounded. */
const BODIES_OF_A_GATEWAY = 50;
/** The largest accepted body. */
const BODY_BYTES = 10_000_000;
const ENDS_LIMIT_MS = 600_000;
/** Time in which accepted work must be completed, as after an overload. */
const WELL_LIMIT_MS = 60_000;
const LARGE = 'pods/large';
const SMALL = 'pods/small';

/** Each pod with the processes that it lost for lack of memory, and the restarts of its container. */
const violationsOf = async (scene: PodsScene): Promise<readonly string[]> => {
  const counts = await scene.kubectl([
    'get',
    'pods',
    '-o',
    'jsonpath={range .items[*]}{.metadata.name} {.status.containerStatuses[0].restartCount}{"\\n"}{end}',
  ]);
  const restarted = counts.split('\n').flatMap((line) => {
    const [name = '', restarts = '0'] = line.split(' ');
    return Number(restarts) > 0 ? [`${name} was restarted ${restarts} times`] : [];
  });
  const killed = scene.node.pods().flatMap((pod) => {
    const { oomKills } = pod.memory();
    return oomKills > 0 ? [`${pod.name}: the kernel killed ${oomKills} processes for lack of memory`] : [];
  });
  return [...restarted, ...killed];
};

const peaks = (scene: PodsScene): string =>
  scene.node
    .pods()
    .map((pod) => `${pod.name.replace(/^weft-|-.*$/g, '')} ${Math.round(pod.memory().peakBytes / MIB)}`)
    .sort()
    .join(', ');

/** A webhook runs its workflow again, at the latest when the accepted work is completed. */
const isWell = async (scene: PodsScene, report: Report): Promise<readonly string[]> => {
  const began = Date.now();
  const look = async (): Promise<boolean> => (await callWebhook(scene.baseUrl, SMALL, { n: 1 })).status === 200;
  const isWorking = await waitUntil(look, { limitMs: WELL_LIMIT_MS, everyMs: 500 });
  report(`a small webhook ${isWorking === true ? 'works' : 'does not work'} ${Date.now() - began} ms afterwards`);
  return isWorking === true ? [] : [`a small webhook did not work ${WELL_LIMIT_MS} ms afterwards`];
};

/** The number of answers by status. */
const sendBodies = async (scene: PodsScene, count: number): Promise<ReadonlyMap<string, number>> => {
  const body = Buffer.from(JSON.stringify({ rows: Array(BODY_BYTES / 1_000 - 1).fill('x'.repeat(997)) }));
  const headers = { 'content-type': 'application/json' };
  const send = async (): Promise<string> => {
    try {
      const { status } = await fetch(`${scene.baseUrl}/webhook/${LARGE}`, { method: 'POST', headers, body });
      return String(status);
    } catch (error) {
      return `no answer (${String(error instanceof Error ? (error.cause ?? error) : error)})`;
    }
  };
  const answers = new Map<string, number>();
  for (const answer of await Promise.all(Array.from({ length: count }, send)))
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  return answers;
};

/** Many of the largest bodies at once: each is accepted, or refused for now. */
const proveBodies = async (scene: PodsScene, rest: Rest, report: Report): Promise<readonly string[]> => {
  const hook = node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: LARGE, responseMode: 'onReceived' });
  const workflow = { name: 'large bodies', nodes: [hook], connections: {}, settings: { executionOrder: 'v1' } };
  await rest('POST', '/workflows', { ...workflow, active: true });
  const gateways = scene.node.pods().filter(({ name }) => name.startsWith('weft-gateway')).length;
  const count = BODIES_OF_A_GATEWAY * gateways;
  const answers = await sendBodies(scene, count);
  const told = [...answers].map(([answer, count]) => `${count} x ${answer}`).join(', ');
  report(`${count} bodies of ${BODY_BYTES} bytes at once: ${told}; MiB at most: ${peaks(scene)}`);
  const wrong = [...answers.keys()].filter((answer) => answer !== '200' && answer !== '503');
  return wrong.map((answer) => `a large body was answered with ${answer}`);
};

interface Execution {
  readonly status?: unknown;
  readonly data?: {
    readonly resultData?: { readonly error?: { readonly reason?: string; readonly message?: string } };
  };
}

/** Runs a workflow to its end. @returns why that end is wrong; empty if it is an error of the node */
const runHostile = async (rest: Rest, what: string, workflow: WorkflowFile): Promise<string> => {
  const id = textOf(await rest('POST', '/workflows', workflow), 'id');
  const executionId = textOf(await rest('POST', `/workflows/${id}/execute`, {}), 'executionId');
  const look = async (): Promise<Execution | undefined> => {
    const found: Execution = dataOf(await rest('GET', `/executions/${executionId}`));
    return found.status === 'running' ? undefined : found;
  };
  const ended = await waitUntil(look, { limitMs: ENDS_LIMIT_MS, everyMs: 1_000 });
  const { reason = '', message = '' } = ended?.data?.resultData?.error ?? {};
  if (ended?.status === 'error' && reason === 'NODE_ERROR') return '';
  const status = ended === undefined ? `no end in ${ENDS_LIMIT_MS} ms` : String(ended.status);
  return `${what}: ${status} ${reason} ${message}`;
};

/** Workflows that request all memory, all at once: each ends with an error of its node. */
const proveHostile = async (rest: Rest, report: Report): Promise<readonly string[]> => {
  const ends = await Promise.all(HOSTILE.map(([what, workflow]) => runHostile(rest, what, workflow)));
  const problems = ends.filter((problem) => problem !== '');
  const well = HOSTILE.length - problems.length;
  report(`${HOSTILE.length} hostile workflows at once: ${well} end with an error of their node`);
  return problems;
};

/** Under the memory limits of the manifests, large bodies and hostile workflows end no process. */
export const proveMemory = async (scene: PodsScene, report: Report): Promise<readonly string[]> => {
  if (!canLimitMemory()) throw new StackError('Memory cannot be limited: this machine lets us make no control group.');
  const rest = restClient(scene.baseUrl, scene.apiKey);
  await rest('POST', '/workflows', { ...smallWorkflow(SMALL, { responseMode: 'lastNode' }), active: true });
  const bodies = [
    ...(await proveBodies(scene, rest, report)),
    ...(await violationsOf(scene)),
    ...(await isWell(scene, report)),
  ];
  const hostile = [...(await proveHostile(rest, report)), ...(await isWell(scene, report))];
  report(`MiB at most: ${peaks(scene)}`);
  return [...bodies, ...hostile, ...(await violationsOf(scene))];
};
