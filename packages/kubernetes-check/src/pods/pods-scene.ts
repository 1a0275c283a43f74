import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { copyFileSync } from 'node:fs';
import {
  findPlaces,
  newApiKey,
  openDataFolder,
  type Report,
  runCommand,
  SERVICE_NODE_FLAGS,
  type Servers,
  StackError,
  startServers,
} from '@weft/local-stack';
import { prepareCluster } from '../cluster/prepare-cluster';
import { createApiClient } from '../node/api-client';
import { type NodeAgent, startNode } from '../node/node-agent';
import type { Program } from '../node/pod-runner';
import { manifestWith, objectsOf, type Rendered } from '@weft/e2e/rendered';
import { root, SERVICES } from '@weft/e2e/services';

/** Namespace of the pods. */
export const NAMESPACE = 'weft';

/** Deployments of Weft, by the service. */
export const deploymentOf = (service: string): string => `weft-${service}`;

/** Runs kubectl in the namespace while the node continues. @throws Error with the message of the API server */
export type Kubectl = (args: readonly string[], input?: string) => Promise<string>;

/** Tag of images: this checkout, or the previous release. */
export type Release = 'local' | 'previous';

/** Overlay whose pods are started: two replicas of everything in full size, or one of each in the small size. */
export type Size = 'local' | 'small';

/** The releases and servers to start. */
export interface PodsPlan {
  readonly size: Size;
  /** Folder for data, logs and volumes, below which processes of other users may read. */
  readonly folder: string;
  /** Built checkout of the previous release. With it, all pods are of that release at first. */
  readonly previous: string | undefined;
  readonly report: Report;
}

/** The manifests under real controllers, with processes of Weft as pods. */
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
const programOf = (image: string, node: string, checkouts: Readonly<Record<string, string | undefined>>): Program => {
  const [name = '', tag = ''] = image.split(':');
  const service = SERVICES.find((one) => name === deploymentOf(one));
  const cwd = checkouts[tag];
  if (service === undefined || cwd === undefined) throw new StackError(`No program stands for the image ${image}.`);
  const inCheckout = (word: string): string => word.replace(/^service\//, `services/${service}/`);
  return {
    cwd,
    // As in the Dockerfile.
    argvOf: (
      [command = 'node', ...args] = ['node', '--enable-source-maps', ...SERVICE_NODE_FLAGS, 'service/dist/src/main.js'],
    ) => [command === 'node' ? node : command, ...args.map(inCheckout)],
  };
};

interface Configured extends Rendered<Record<string, unknown>> {
  readonly data?: Readonly<Record<string, string>>;
}

/** Settings that the check needs, by the beginning of the name of a ConfigMap. */
const SETTINGS: readonly (readonly [configMap: string, settings: Readonly<Record<string, string>>])[] = [
  // One key sends all requests.
  ['weft-credentials', { RATE_LIMIT_PER_MINUTE: '0' }],
  // Hostile code uses its whole time limit.
  ['weft-runner', { RUNNER_CODE_TIMEOUT_MS: '5000' }],
];

/** An overlay without its servers, which run next to the cluster; in full size with two replicas of everything. */
const manifestOf = (natsUrl: string, release: Release, size: Size): readonly Rendered[] => {
  const text = manifestWith(size, size === 'small' ? [] : ['fixed-replicas'], NAMESPACE).replace(
    /(image: weft-\w+):local/g,
    `$1:${release}`,
  );
  const settings = [...SETTINGS, ['weft-infrastructure', { NATS_URL: natsUrl }] as const];
  return objectsOf<Record<string, unknown>>(text)
    .filter(({ kind, metadata }) => kind !== 'StatefulSet' && !/mongodb|nats/.test(metadata.name))
    .map((object) => {
      if (object.kind === 'Deployment' && size !== 'small') return { ...object, spec: { ...object.spec, replicas: 2 } };
      const [, more] = settings.find(([name]) => object.metadata.name.startsWith(name)) ?? [];
      if (object.kind !== 'ConfigMap' || more === undefined) return object;
      const { data }: Configured = object;
      return { ...object, data: { ...data, ...more } };
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
export const openPodsScene = async ({ folder, size, previous, report }: PodsPlan): Promise<PodsScene> => {
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
      programOf: (image) => programOf(image, nodeProgram, { local: root, previous }),
      folder: join(folder, 'pods'),
      report,
    });
    stops.push(() => node.stop());
    const apiKey = newApiKey();
    const manifest = manifestOf(servers.natsUrl, previous === undefined ? 'local' : 'previous', size);
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
