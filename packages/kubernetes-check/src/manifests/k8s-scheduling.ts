import { type Report, runCommand, StackError } from '@weft/local-stack';
import type { PreparedCluster } from '../cluster/prepare-cluster';
import { createApiClient } from '../node/api-client';
import { pretendNodes, type PretendedNodes } from '../node/pretended-nodes';

const NODES = 6;
const ZONES = 3;
const RESTARTS = 3;
const LIMIT = '--timeout=180s';
const LOOK_MS = 250;

interface Listed<Item> {
  readonly items: readonly Item[];
}
interface Placed {
  readonly metadata: { readonly labels: Readonly<Record<string, string>>; readonly deletionTimestamp?: string };
  readonly spec: { readonly nodeName?: string };
}
interface Deployed {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly replicas: number };
  readonly status: { readonly availableReplicas?: number };
}

/** The nodes of the pods of each component. */
type Places = ReadonlyMap<string, readonly string[]>;

/** Nodes and kubectl in one namespace of a cluster. */
interface Scene {
  readonly zones: ReadonlyMap<string, string>;
  readonly kubectl: (...args: readonly string[]) => Promise<string>;
}

const list = async <Item>({ kubectl }: Scene, kind: string): Promise<readonly Item[]> => {
  const { items }: Listed<Item> = JSON.parse(await kubectl('get', kind, '-o', 'json'));
  return items;
};

const placesOf = async (scene: Scene): Promise<Places> => {
  const places = new Map<string, string[]>();
  for (const { metadata, spec } of await list<Placed>(scene, 'pods')) {
    const component = metadata.labels['app.kubernetes.io/component'] ?? '';
    // Servers with volumes wait for them: nothing here makes volumes.
    if (spec.nodeName === undefined || metadata.deletionTimestamp !== undefined) continue;
    places.set(component, [...(places.get(component) ?? []), spec.nodeName]);
  }
  return places;
};

const rolledOut = async (scene: Scene, names: readonly string[]): Promise<void> => {
  for (const name of names) await scene.kubectl('rollout', 'status', `deployment/${name}`, LIMIT);
};

/** @throws StackError that names pods that share a node, or a zone with all their replicas */
const checkSpread = async (scene: Scene, when: string): Promise<Places> => {
  const places = await placesOf(scene);
  for (const [component, nodes] of places) {
    if (nodes.length < 2) continue;
    const zones = new Set(nodes.map((node) => scene.zones.get(node)));
    if (new Set(nodes).size < nodes.length || zones.size < 2)
      throw new StackError(`${when}: the pods of ${component} are at ${nodes.join(', ')}, in ${zones.size} zones.`);
  }
  return places;
};

/** Polls how many pods serve while something happens. @returns the fewest, by Deployment */
const fewestDuring = async (scene: Scene, happens: Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
  const fewest = new Map<string, number>();
  let isOver = false;
  const over = happens.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const { metadata, status } of await list<Deployed>(scene, 'deployments')) {
      const now = status.availableReplicas ?? 0;
      fewest.set(metadata.name, Math.min(fewest.get(metadata.name) ?? now, now));
    }
    await Promise.race([over.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, LOOK_MS))]);
  }
  await over;
  return fewest;
};

/** Empties the node with the most pods; no Deployment may lose more than one pod at a time. */
const proveDrain = async (scene: Scene, places: Places): Promise<string> => {
  const counts = new Map<string, number>();
  for (const node of [...places.values()].flat()) counts.set(node, (counts.get(node) ?? 0) + 1);
  const [fullest = '', count = 0] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  const wanted = new Map(
    (await list<Deployed>(scene, 'deployments')).map(({ metadata, spec }) => [metadata.name, spec.replicas]),
  );
  const drain = scene.kubectl('drain', fullest, '--ignore-daemonsets', '--delete-emptydir-data', LIMIT);
  const fewest = await fewestDuring(scene, drain);
  await rolledOut(scene, [...wanted.keys()]);
  await scene.kubectl('uncordon', fullest);
  for (const [name, replicas] of wanted)
    if ((fewest.get(name) ?? 0) < replicas - 1)
      throw new StackError(`While ${fullest} was drained, ${name} had ${fewest.get(name)} of ${replicas} pods.`);
  return `${fullest} with ${count} pods was drained, and no Deployment lacked more than one pod`;
};

/** Nodes for the real scheduler, in several zones. */
export const bringNodes = (cluster: PreparedCluster, report: Report): Promise<PretendedNodes> =>
  pretendNodes(createApiClient(cluster.access), NODES, ZONES, report);

/** Places pods by the real scheduler on pretended nodes, restarts everything three times, and drains a node. */
export const proveScheduling = async (
  cluster: PreparedCluster,
  nodes: PretendedNodes,
  namespace: string,
  report: Report,
): Promise<void> => {
  const scene: Scene = {
    zones: nodes.zones,
    kubectl: (...args) => runCommand('kubectl', ['--kubeconfig', cluster.kubeconfig, '-n', namespace, ...args]),
  };
  const names = (await list<Deployed>(scene, 'deployments')).map(({ metadata }) => metadata.name);
  await rolledOut(scene, names);
  let places = await checkSpread(scene, 'at first');
  for (let restart = 1; restart <= RESTARTS; restart += 1) {
    for (const name of names) await scene.kubectl('rollout', 'restart', `deployment/${name}`);
    await rolledOut(scene, names);
    places = await checkSpread(scene, `after restart ${restart}`);
  }
  const spread = [...places].map(([component, at]) => `${component} ${at.length}`).join(', ');
  report(`no pods of a component share a node or are in one zone, after ${RESTARTS} restarts: ${spread}`);
  report(await proveDrain(scene, places));
};
