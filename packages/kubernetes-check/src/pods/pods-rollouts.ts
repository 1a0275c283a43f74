import { type Report, waitUntil } from '@weft/local-stack';
import { underLoad } from './pods-load';
import { deploymentOf, NAMESPACE, waitForRollout, type PodsScene } from './pods-scene';
import { SERVICES } from '@weft/e2e/services';

const NEW_REPLICA_LIMIT_MS = 30_000;
/** Time for which caches of names in a cluster repeat an address. */
const NAMES_KEPT_MS = 30_000;

const restartEach = async (scene: PodsScene, report: Report, names: string): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const service of SERVICES) {
    const what = `restart of ${service}, ${names}`;
    let tookMs = 0;
    const load = await underLoad(scene, what, async () => {
      const began = Date.now();
      await scene.kubectl(['rollout', 'restart', `deployment/${deploymentOf(service)}`]);
      await waitForRollout(scene.kubectl, service);
      tookMs = Date.now() - began;
    });
    report(`${what}: ${load.failed} of ${load.sent} requests failed, ${tookMs} ms`);
    problems.push(...load.problems);
  }
  return problems;
};

/** Restarts each Deployment under load, with fresh names and with cached ones; no client may notice. */
export const proveRestarts = async (scene: PodsScene, report: Report): Promise<readonly string[]> => {
  const fresh = await restartEach(scene, report, 'names are fresh');
  scene.node.keepNamesFor(NAMES_KEPT_MS);
  try {
    return [...fresh, ...(await restartEach(scene, report, `names are kept for ${NAMES_KEPT_MS} ms`))];
  } finally {
    scene.node.keepNamesFor(0);
  }
};

/** Calls that a pod has handled, by its metrics; 0 if it does not answer. */
const callsOf = async (ip: string): Promise<number> => {
  try {
    const answer = await fetch(`http://${ip}:9464/metrics`, { signal: AbortSignal.timeout(2_000) });
    const lines = (await answer.text()).split('\n').filter((line) => line.startsWith('grpc_server_handled_total'));
    return lines
      .filter((line) => !line.includes('Health'))
      .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  } catch {
    return 0;
  }
};

/** A new replica gets its share within half a minute after it is ready. */
export const proveNewReplica = async (scene: PodsScene, report: Report): Promise<readonly string[]> => {
  const what = 'a third replica of workflows';
  const endpoints = (): readonly string[] => scene.node.endpointsOf(NAMESPACE, 'weft-workflows');
  const before = new Set(endpoints());
  let use = '';
  const load = await underLoad(scene, what, async () => {
    await scene.kubectl(['scale', '--replicas=3', `deployment/${deploymentOf('workflows')}`]);
    const added = await waitUntil(() => endpoints().find((ip) => !before.has(ip)), { limitMs: 120_000, everyMs: 100 });
    if (added === undefined) return;
    const began = Date.now();
    const limits = { limitMs: NEW_REPLICA_LIMIT_MS, everyMs: 200 };
    if ((await waitUntil(async () => (await callsOf(added)) > 0, limits)) === true)
      use = `used after ${Date.now() - began} ms`;
  });
  report(`${what}: ${use === '' ? 'not used' : use}, ${load.failed} of ${load.sent} requests failed`);
  await scene.kubectl(['scale', '--replicas=2', `deployment/${deploymentOf('workflows')}`]);
  await waitForRollout(scene.kubectl, 'workflows');
  return [...(use === '' ? [`${what} had no call within ${NEW_REPLICA_LIMIT_MS} ms`] : []), ...load.problems];
};
