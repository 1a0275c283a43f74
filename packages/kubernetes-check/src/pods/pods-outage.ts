import { setTimeout as sleep } from 'node:timers/promises';
import { type Report, StackError, waitUntil } from '@weft/local-stack';
import { deploymentOf, waitForRollout, type PodsScene } from './pods-scene';
import { SERVICES, type ServiceName } from '@weft/e2e/services';

const OUTAGE_MS = 200_000;
const BACK_LIMIT_MS = 10_000;
const LIMIT_MS = 60_000;

interface PodItem {
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly status: {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number }[];
  };
}

const podsOf = async (scene: PodsScene): Promise<readonly PodItem[]> => {
  const { items }: { readonly items: readonly PodItem[] } = JSON.parse(
    await scene.kubectl(['get', 'pods', '-o', 'json']),
  );
  return items;
};
const isReady = ({ status }: PodItem): boolean =>
  status.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
const restartsOf = ({ status }: PodItem): number => status.containerStatuses?.[0]?.restartCount ?? 0;

/** Starts new pods while servers are down, and measures when they are ready after the servers are back. */
const outage = async (
  scene: PodsScene,
  report: Report,
  { servers, services, end, begin }: Outage,
): Promise<readonly string[]> => {
  await begin();
  const before = new Set((await podsOf(scene)).map(({ metadata }) => metadata.name));
  for (const service of services) await scene.kubectl(['rollout', 'restart', `deployment/${deploymentOf(service)}`]);
  await sleep(OUTAGE_MS);
  const started = (await podsOf(scene)).filter(({ metadata }) => !before.has(metadata.name));
  const names = new Set(started.map(({ metadata }) => metadata.name));
  await end();
  const began = Date.now();
  let left: readonly string[] = [];
  const areBack = await waitUntil(
    async () => {
      left = (await podsOf(scene)).filter((pod) => names.has(pod.metadata.name) && !isReady(pod)).map(nameOf);
      return left.length === 0;
    },
    { limitMs: LIMIT_MS, everyMs: 200 },
  );
  const tookMs = Date.now() - began;
  for (const service of services) await waitForRollout(scene.kubectl, service);
  const restarts = (await podsOf(scene)).reduce((sum, pod) => sum + restartsOf(pod), 0);
  report(
    `${servers} away for ${OUTAGE_MS} ms: ${started.length} pods that started meanwhile ` +
      `${areBack === true ? 'are ready' : 'are not all ready'} ${tookMs} ms after the end, ${restarts} restarts`,
  );
  return [
    ...(started.length >= services.length ? [] : [`only ${started.length} pods started during the outage`]),
    ...(areBack === true && tookMs <= BACK_LIMIT_MS
      ? []
      : [`pods were not ready ${BACK_LIMIT_MS} ms after ${servers} came back, but after ${tookMs} ms: ${left.join()}`]),
    ...(restarts === 0 ? [] : [`containers were restarted ${restarts} times while ${servers} was away`]),
  ];
};

interface Outage {
  /** Names of the servers that are down. */
  readonly servers: string;
  /** Services that start in the meantime. */
  readonly services: readonly ServiceName[];
  readonly begin: () => Promise<void>;
  readonly end: () => Promise<void>;
}

const nameOf = ({ metadata }: PodItem): string => metadata.name;

/** Pods that start while database and broker are down are ready soon after these are back, without a restart. */
export const proveOutage = async (scene: PodsScene, report: Report): Promise<readonly string[]> => {
  const { mongodb, nats } = scene.servers;
  if (nats === undefined) throw new StackError('The broker is not ours to stop.');
  return outage(scene, report, {
    servers: 'MongoDB and NATS',
    services: SERVICES,
    begin: async () => {
      await mongodb.crash();
      await nats.lose();
    },
    end: async () => {
      await Promise.all([mongodb.startAgain(), nats.startAgain()]);
    },
  });
};
