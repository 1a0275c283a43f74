import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { copyFileSync } from 'node:fs';
import {
  createApiClient,
  findPlaces,
  newApiKey,
  openDataFolder,
  prepareCluster,
  runCommand,
  StackError,
  startNode,
  startServers,
  type NodeAgent,
  type Program,
  type Report,
  type Servers,
} from '@weft/local-stack';
import { manifestWith, objectsOf, type Rendered } from './rendered';
import { root, SERVICES } from './services';

/** Namespace of the pods. */
export const NAMESPACE = 'weft';

/** Deployments of ours, by the service. */
export const deploymentOf = (service: string): string => `weft-${service}`;

/** kubectl in the namespace; the node goes on meanwhile. @throws Error with what the API server said */
export type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

/** The manifests under real controllers, with processes of ours as pods. */
export interface PodsScene {
  readonly kubectl: Kubectl;
  readonly node: NodeAgent;
  readonly servers: Servers;
  /** Address of the Service of the gateway. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly stop: () => Promise<void>;
}

const ROLLOUT_LIMIT = '--timeout=240s';

/** Returns when a rollout has ended. @throws Error if it does not in time */
export const waitForRollout = async (kubectl: Kubectl, service: string): Promise<void> =>
  void (await kubectl(['rollout', 'status', `deployment/${deploymentOf(service)}`, ROLLOUT_LIMIT]));

/** @param node path of the program that every user may run */
const programOf = (image: string, node: string): Program => {
  const service = SERVICES.find((name) => image === `weft-${name}` || image.startsWith(`weft-${name}:`));
  if (service === undefined) throw new StackError(`No program stands for the image ${image}.`);
  const inCheckout = (word: string): string => word.replace(/^service\//, `services/${service}/`);
  return {
    cwd: root,
    // As the Dockerfile says.
    argvOf: ([command = 'node', ...args] = ['node', '--enable-source-maps', 'service/dist/src/main.js']) => [
      command === 'node' ? node : command,
      ...args.map(inCheckout),
    ],
  };
};

/** The local overlay without its servers, which run beside the cluster, and with two replicas of everything. */
const manifestOf = (natsUrl: string): readonly Rendered[] => {
  const text = manifestWith('local', ['fixed-replicas'], NAMESPACE);
  return objectsOf<Record<string, unknown>>(text)
    .filter(({ kind, metadata }) => kind !== 'StatefulSet' && !/mongodb|nats/.test(metadata.name))
    .map((object) => {
      if (object.kind === 'Deployment') return { ...object, spec: { ...object.spec, replicas: 2 } };
      if (object.kind !== 'ConfigMap') return object;
      if (object.metadata.name.startsWith('weft-infrastructure')) return { ...object, data: { NATS_URL: natsUrl } };
      // One key sends all requests.
      return object.metadata.name.startsWith('weft-credentials')
        ? { ...object, data: { LOG_LEVEL: 'info', RATE_LIMIT_PER_MINUTE: '0' } }
        : object;
    });
};

const listOf = (items: readonly Rendered[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

const secretsOf = (mongodbUri: string, apiKey: string): string => {
  const made = execFileSync(process.execPath, [join(root, 'deploy/k8s/make-secrets.mjs'), '--mongodb', mongodbUri], {
    encoding: 'utf8',
  });
  const list: { readonly items: { metadata: { name: string }; stringData: Record<string, string> }[] } =
    JSON.parse(made);
  for (const { metadata, stringData } of list.items) if (metadata.name === 'weft-owner') stringData['apiKey'] = apiKey;
  return JSON.stringify(list);
};

/** Starts servers, control plane and node, applies the manifests, and returns when every Deployment has rolled out. */
export const openPodsScene = async (folder: string, report: Report): Promise<PodsScene> => {
  const data = await openDataFolder(join(folder, 'data'), report);
  const stops: (() => Promise<void>)[] = [async () => data.release()];
  const stop = async (): Promise<void> => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const { cache } = findPlaces(process.env);
    const servers = await startServers({ cache, folder: data, environment: {}, report, isThrowaway: true });
    stops.push(() => servers.stop());
    const cluster = await prepareCluster(join(folder, 'cluster'), report);
    stops.push(() => cluster.stop());
    const kubectl: Kubectl = (args, input = '') =>
      runCommand('kubectl', ['--kubeconfig', cluster.kubeconfig, '-n', NAMESPACE, ...args], { input });
    const api = createApiClient(cluster.access);
    const nodeProgram = join(folder, 'node');
    copyFileSync(process.execPath, nodeProgram);
    const node = await startNode({
      api,
      programOf: (image) => programOf(image, nodeProgram),
      folder: join(folder, 'pods'),
      report,
    });
    stops.push(() => node.stop());
    const apiKey = newApiKey();
    const manifest = manifestOf(servers.natsUrl);
    const namespaces = manifest.filter(({ kind }) => kind === 'Namespace');
    const apply = ['apply', '--server-side', '--validate=strict', '-f', '-'];
    await kubectl(apply, listOf(namespaces));
    await kubectl(['create', '-f', '-'], secretsOf(servers.mongodbUri, apiKey));
    await kubectl(apply, listOf(manifest));
    for (const service of SERVICES) await waitForRollout(kubectl, service);
    const address = await kubectl(['get', 'service', 'weft-gateway', '-o', 'jsonpath={.spec.clusterIP}']);
    return { kubectl, node, servers, baseUrl: `http://${address}`, apiKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
