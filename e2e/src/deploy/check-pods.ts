import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { request, Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isInOwnNetwork, runAsCommand, runInOwnNetwork, StackError, waitUntil, type Report } from '@weft/local-stack';
import { deploymentOf, NAMESPACE, openPodsScene, waitForRollout, type PodsScene } from './pods-scene';
import { HAS_KUBECTL } from './rendered';
import { SERVICES } from './services';

const PER_SECOND = 20;
const TIMEOUT_MS = 15_000;
/** Requests that go on after a rollout, for what comes late. */
const AFTER_MS = 5_000;
const NEW_REPLICA_LIMIT_MS = 30_000;
const OUTAGE_MS = 60_000;
const BACK_LIMIT_MS = 10_000;
const MAX_NAMED = 5;

/** One request that was not answered as it should be. */
interface Failure {
  readonly atMs: number;
  readonly what: string;
}

interface Load {
  readonly sent: () => number;
  readonly stop: () => Promise<readonly Failure[]>;
}

const ask = (scene: PodsScene, agent: Agent): Promise<string> =>
  new Promise((resolve) => {
    const headers = { 'x-svc-api-key': scene.apiKey };
    const sent = request(
      `${scene.baseUrl}/api/v1/workflows?limit=1`,
      { agent, headers, timeout: TIMEOUT_MS },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(answer.statusCode === 200 ? '' : String(answer.statusCode)));
        answer.on('error', (error) => resolve(error.message));
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    sent.on('error', (error) => resolve(error.message));
    sent.end();
  });

/** Asks at a steady rate through the gateway's Service, which calls workflows and credentials for each answer. */
const startLoad = (scene: PodsScene): Load => {
  const agent = new Agent({ keepAlive: true });
  const began = Date.now();
  const failures: Failure[] = [];
  const underWay = new Set<Promise<void>>();
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    const atMs = Date.now() - began;
    const work: Promise<void> = ask(scene, agent).then((what) => {
      underWay.delete(work);
      if (what !== '') failures.push({ atMs, what });
    });
    underWay.add(work);
  }, 1_000 / PER_SECOND);
  return {
    sent: () => sent,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underWay);
      agent.destroy();
      return failures;
    },
  };
};

/** Restarts each Deployment under load; nobody may notice. */
const proveRestarts = async (scene: PodsScene, report: Report): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const service of SERVICES) {
    const load = startLoad(scene);
    const began = Date.now();
    await scene.kubectl(['rollout', 'restart', `deployment/${deploymentOf(service)}`]);
    await waitForRollout(scene.kubectl, service);
    const tookMs = Date.now() - began;
    await sleep(AFTER_MS);
    const failures = await load.stop();
    report(`restart of ${service}: ${failures.length} of ${load.sent()} requests failed, ${tookMs} ms`);
    for (const { atMs, what } of failures.slice(0, MAX_NAMED))
      problems.push(`restart of ${service}: ${what} at ${atMs} ms`);
  }
  return problems;
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

/** A replica that is added gets its share within half a minute after it is ready. */
const proveNewReplica = async (scene: PodsScene, report: Report): Promise<readonly string[]> => {
  const load = startLoad(scene);
  const endpoints = (): readonly string[] => scene.node.endpointsOf(NAMESPACE, 'weft-workflows');
  const before = new Set(endpoints());
  await scene.kubectl(['scale', '--replicas=3', `deployment/${deploymentOf('workflows')}`]);
  const added = await waitUntil(() => endpoints().find((ip) => !before.has(ip)), { limitMs: 120_000, everyMs: 100 });
  const began = Date.now();
  const isUsed =
    added !== undefined &&
    (await waitUntil(async () => (await callsOf(added)) > 0, { limitMs: NEW_REPLICA_LIMIT_MS, everyMs: 200 }));
  const tookMs = Date.now() - began;
  const failures = await load.stop();
  const use = isUsed === true ? `used after ${tookMs} ms` : 'not used';
  report(`a third replica of workflows: ${use}, ${failures.length} of ${load.sent()} requests failed`);
  await scene.kubectl(['scale', '--replicas=2', `deployment/${deploymentOf('workflows')}`]);
  await waitForRollout(scene.kubectl, 'workflows');
  return [
    ...(isUsed === true ? [] : [`a third replica of workflows had no call within ${NEW_REPLICA_LIMIT_MS} ms`]),
    ...failures.slice(0, MAX_NAMED).map(({ what }) => `a third replica of workflows: ${what}`),
  ];
};

/** Pods that start while the database is away are ready soon after it is back, and are not restarted meanwhile. */
const proveOutage = async (scene: PodsScene, report: Report): Promise<readonly string[]> => {
  await scene.servers.mongodb.crash();
  for (const service of ['workflows', 'executions', 'credentials'])
    await scene.kubectl(['rollout', 'restart', `deployment/${deploymentOf(service)}`]);
  await sleep(OUTAGE_MS);
  await scene.servers.mongodb.startAgain();
  const began = Date.now();
  const isReady = (service: string): boolean => scene.node.endpointsOf(NAMESPACE, deploymentOf(service)).length > 0;
  const isBack = await waitUntil(() => ['workflows', 'executions', 'credentials'].every(isReady), {
    limitMs: 60_000,
    everyMs: 100,
  });
  const tookMs = Date.now() - began;
  for (const service of ['workflows', 'executions', 'credentials']) await waitForRollout(scene.kubectl, service);
  const counts = await scene.kubectl([
    'get',
    'pods',
    '-o',
    'jsonpath={.items[*].status.containerStatuses[0].restartCount}',
  ]);
  const restarts = counts.split(' ').reduce((sum, count) => sum + Number(count), 0);
  report(
    `MongoDB away for ${OUTAGE_MS} ms while pods start: all services ready ${tookMs} ms after it is back, ` +
      `${restarts} restarts`,
  );
  return [
    ...(isBack === true && tookMs <= BACK_LIMIT_MS
      ? []
      : [`services were ready ${tookMs} ms after the database was back`]),
    ...(restarts === 0 ? [] : [`containers were restarted ${restarts} times`]),
  ];
};

const check = async (folder: string, report: Report): Promise<number> => {
  const began = Date.now();
  const scene = await openPodsScene(folder, report);
  try {
    report(`all Deployments have rolled out after ${Date.now() - began} ms; ${scene.node.pods().length} pods`);
    const problems = [
      ...(await proveRestarts(scene, report)),
      ...(await proveNewReplica(scene, report)),
      ...(await proveOutage(scene, report)),
    ];
    problems.forEach((problem) => report(`PROBLEM ${problem}`));
    return problems.length === 0 ? 0 : 1;
  } finally {
    await scene.stop();
  }
};

/** `npm run check:pods`: processes of ours as pods under the controllers of a real Kubernetes; decision 0191. */
runAsCommand(async ({ report, interrupted }) => {
  if (!HAS_KUBECTL) throw new StackError('kubectl is missing: put it on the PATH.');
  if (!isInOwnNetwork()) return runInOwnNetwork(NAMESPACE);
  const folder = mkdtempSync(join(tmpdir(), 'weft-pods-'));
  // Processes of pods are not root, and read their files below it.
  chmodSync(folder, 0o755);
  try {
    return await Promise.race([check(folder, report), interrupted]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
