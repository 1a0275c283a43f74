import { type Report, waitUntil } from '@weft/local-stack';
import { restClient, textOf, type Rest } from '@weft/e2e/rest';
import { connect, node, type WorkflowFile } from '@weft/e2e/workflows';
import { underLoad } from './pods-load';
import { deploymentOf, waitForRollout, type PodsScene, type Release } from './pods-scene';
import { SERVICES } from '@weft/e2e/services';

/** Longer than a rollout of all services: these runs are paused in the store during it. */
const PAUSED_S = 240;
/** Such waits stay in the process of a runner, which releases them when it ends. */
const HELD_S = 40;
const RUNS_OF_EACH = 10;
const ENDS_LIMIT_MS = 420_000;

const waitsFor = (seconds: number): WorkflowFile => ({
  name: `waits for ${seconds} s`,
  nodes: [
    node('Start', 'manualTrigger', 1, 0),
    node('Before', 'set', 3.4, 200, { mode: 'raw', jsonOutput: '{"kept":"here"}', options: {} }),
    node('Wait', 'wait', 1.1, 400, { resume: 'timeInterval', amount: seconds, unit: 'seconds' }),
    node('After', 'set', 3.4, 600, {
      mode: 'raw',
      jsonOutput: '={{ { "kept": $("Before").item.json.kept } }}',
      options: {},
    }),
  ],
  connections: connect({ Start: [['Before']], Before: [['Wait']], Wait: [['After']] }),
  settings: { executionOrder: 'v1' },
});

const startAll = async (rest: Rest, workflowIds: readonly string[]): Promise<readonly string[]> => {
  const started: string[] = [];
  for (const id of workflowIds)
    for (let n = 0; n < RUNS_OF_EACH; n += 1)
      started.push(textOf(await rest('POST', `/workflows/${id}/execute`), 'executionId'));
  return started;
};

/** @returns a sentence for each run that did not end well */
const endsOf = async (rest: Rest, what: string, ids: readonly string[]): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const id of ids) {
    const look = async (): Promise<string | undefined> => {
      const now = textOf(await rest('GET', `/executions/${id}`), 'status');
      return now === 'running' || now === 'waiting' ? undefined : now;
    };
    const status = (await waitUntil(look, { limitMs: ENDS_LIMIT_MS, everyMs: 1_000 })) ?? 'no end in time';
    if (status !== 'success') problems.push(`${what}: execution ${id} ended with ${status}`);
  }
  return problems;
};

/** Rolls all five Deployments to a release at the same time, as an apply of new tags does. */
const rollTo = async (scene: PodsScene, release: Release): Promise<void> => {
  for (const service of SERVICES)
    await scene.kubectl(['set', 'image', `deployment/${deploymentOf(service)}`, `*=weft-${service}:${release}`]);
  for (const service of SERVICES) await waitForRollout(scene.kubectl, service);
};

/**
 * Rolls from the previous release to this one, back, and to this one again, under load. Runs started under one release
 * wait meanwhile, in the store or in a runner, and continue under the other.
 */
export const proveUpgrade = async (scene: PodsScene, report: Report): Promise<readonly string[]> => {
  const rest = restClient(scene.baseUrl, scene.apiKey);
  const workflowIds: string[] = [];
  for (const seconds of [PAUSED_S, HELD_S])
    workflowIds.push(textOf(await rest('POST', '/workflows', waitsFor(seconds)), 'id'));
  const problems: string[] = [];
  const paused: (readonly [what: string, ids: readonly string[]])[] = [];
  const steps: readonly (readonly [what: string, release: Release])[] = [
    ['upgrade', 'local'],
    ['way back', 'previous'],
    ['second upgrade', 'local'],
  ];
  for (const [what, release] of steps) {
    paused.push([what, await startAll(rest, workflowIds)]);
    let tookMs = 0;
    const load = await underLoad(scene, what, async () => {
      const began = Date.now();
      await rollTo(scene, release);
      tookMs = Date.now() - began;
    });
    report(`${what}: ${load.failed} of ${load.sent} requests failed, ${tookMs} ms`);
    problems.push(...load.problems);
  }
  for (const [what, ids] of paused) {
    const failed = await endsOf(rest, what, ids);
    report(`${what}: ${failed.length} of ${ids.length} runs that waited meanwhile failed`);
    problems.push(...failed);
  }
  return problems;
};
