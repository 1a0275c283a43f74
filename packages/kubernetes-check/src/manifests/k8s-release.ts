import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Report, runCommand, StackError, tryCommand } from '@weft/local-stack';
import { SERVICES } from '@weft/e2e/services';
import { textAt, type Json, type JsonMap } from '../chart/json';
import { CHART } from '../chart/make-chart';
import type { PreparedCluster } from '../cluster/prepare-cluster';

const NAMESPACE = 'weft-helm';
const WAIT = ['--wait', '--timeout', '5m'];
const OURS = 'registry.our.example/weft';

/** Production with an external NATS: nothing here makes volumes for one in the cluster. */
const FIRST: JsonMap = {
  publicUrl: 'https://weft.our.example',
  image: { registry: OURS, tag: '1.0.0' },
  nats: { mode: 'external', url: 'nats://nats.our.example:4222' },
  gatewayApi: { enabled: true, className: 'our-class' },
  tls: { enabled: true },
  monitoring: { enabled: true, runbooks: 'https://code.our.example/weft' },
};
const SECOND: JsonMap = {
  ...FIRST,
  image: { registry: OURS, tag: '1.1.0' },
  gateway: { replicas: 3, config: { LOG_LEVEL: 'debug' } },
  autoscaling: { enabled: false },
  ingress: { enabled: true, className: 'our-ingress' },
};
/** Everything that has a switch. */
const EVERYTHING: JsonMap = {
  ...FIRST,
  nats: { mode: 'cluster', url: '', security: { enabled: true, certificate: { enabled: true } } },
  mongodb: { inCluster: true },
  mutualTls: { enabled: true, certificates: { enabled: true } },
  grpcClients: { enabled: true, certificate: { enabled: true } },
  credentialFiles: { enabled: true },
  autoscaling: { enabled: true },
  ingress: { enabled: true, className: 'our-ingress' },
  backUp: { enabled: true },
  operator: { enabled: true, clusterName: 'check' },
};

/** A release, by helm and kubectl. */
interface Scene {
  readonly folder: string;
  readonly helm: (...args: readonly string[]) => Promise<string>;
  readonly refused: (expected: RegExp, ...args: readonly string[]) => Promise<void>;
  readonly kubectl: (args: readonly string[], input?: string) => Promise<string>;
  readonly values: (name: string, values: JsonMap) => readonly string[];
}

const sceneOf = (cluster: PreparedCluster, program: string, folder: string, namespace: string): Scene => {
  const env = {
    ...process.env,
    KUBECONFIG: cluster.kubeconfig,
    HELM_CACHE_HOME: join(folder, 'cache'),
    HELM_CONFIG_HOME: join(folder, 'config'),
    HELM_DATA_HOME: join(folder, 'data'),
  };
  return {
    folder,
    helm: (...args) => runCommand(program, [...args, '-n', namespace], { env }),
    refused: async (expected, ...args) => {
      const { code, stderr } = await tryCommand(program, [...args, '-n', namespace], { env });
      if (code === 0 || !expected.test(stderr))
        throw new StackError(`helm ${args.join(' ')} said ${code === 0 ? 'nothing' : stderr}, and not ${expected}.`);
    },
    kubectl: (args, input = '') => runCommand('kubectl', ['-n', namespace, ...args], { env, input }),
    values: (name, values) => {
      const file = join(folder, `${name}.json`);
      writeFileSync(file, JSON.stringify(values));
      return ['-f', file];
    },
  };
};

/** The namespace and its secrets, made as NOTES.txt says. */
const prepareNamespace = async (scene: Scene, namespace: string): Promise<void> => {
  await scene.kubectl(['create', 'namespace', namespace]);
  await scene.kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
  const script = join(scene.folder, 'weft/scripts/k8s/make-secrets.mjs');
  const address = ['--mongodb', 'mongodb://db.our.example'];
  await scene.kubectl(['create', '-f', '-'], await runCommand(process.execPath, [script, ...address]));
};

/** Images, replicas and settings of a release in the cluster, without the fields that the server adds. */
const stateOf = async (scene: Scene): Promise<Json> => {
  const { items }: { readonly items: readonly JsonMap[] } = JSON.parse(
    await scene.kubectl(['get', 'deployments,configmaps,ingresses,httproutes,prometheusrules', '-o', 'json']),
  );
  return items
    .filter((object) => textAt(object, 'metadata', 'name').startsWith('weft'))
    .map(({ kind, metadata, spec, data }) => ({
      kind: kind ?? '',
      name: textAt(metadata, 'name'),
      spec: spec ?? '',
      data: data ?? '',
    }));
};

const imagesOf = (state: Json): readonly string[] =>
  [...new Set(JSON.stringify(state).match(/registry\.our\.example[^"]*/g))].sort();

const imagesWith = (tag: string): readonly string[] => SERVICES.map((one) => `${OURS}/${one}:${tag}`).sort();

const expectImages = (state: Json, tag: string, when: string): void => {
  const found = imagesOf(state).join();
  if (found !== imagesWith(tag).join()) throw new StackError(`${when}, the images are ${found}.`);
};

const proveSteps = async (scene: Scene, chart: string, report: Report): Promise<void> => {
  const { helm, values } = scene;
  await prepareNamespace(scene, NAMESPACE);
  await helm('install', 'weft', chart, ...values('first', FIRST), ...WAIT);
  const installed = await stateOf(scene);
  expectImages(installed, '1.0.0', 'After the installation');
  report('helm install: every Deployment is available');
  await scene.refused(/additional propert\w+ '?replica/i, 'upgrade', 'weft', chart, '--set', 'gateway.replica=1');
  await scene.refused(
    /invalid ownership metadata|exists and cannot be imported/,
    'install',
    'again',
    chart,
    ...values('first', FIRST),
  );
  if (JSON.stringify(await stateOf(scene)) !== JSON.stringify(installed))
    throw new StackError('A refused upgrade or a second installation has changed the first one.');
  report('refused, and nothing changed: an upgrade with a misspelt value, a second release in the namespace');
  await helm('upgrade', 'weft', chart, ...values('second', SECOND), ...WAIT);
  const upgraded = await stateOf(scene);
  expectImages(upgraded, '1.1.0', 'After the upgrade');
  const text = JSON.stringify(upgraded);
  if (!text.includes('"LOG_LEVEL":"debug"') || !text.includes('"kind":"Ingress"'))
    throw new StackError('The upgrade lacks the changed setting or the Ingress.');
  report('helm upgrade: new images, 3 gateways, a changed setting and an Ingress');
  await helm('rollback', 'weft', '1', ...WAIT);
  const restored = await stateOf(scene);
  if (JSON.stringify(restored) !== JSON.stringify(installed))
    throw new StackError('After the rollback the objects are not as they were after the installation.');
  report('helm rollback: Deployments, settings, routes and alerts as after the installation');
  await helm('uninstall', 'weft', '--wait');
  const left = (await scene.kubectl(['get', 'secrets', '-o', 'name'])).split('\n').filter((name) => /weft-/.test(name));
  if (left.length < 4) throw new StackError(`helm uninstall has removed secrets: ${left.join()} are left.`);
  report(`helm uninstall: ${left.length} secrets stay`);
};

/**
 * Packages the chart, and installs, upgrades, rolls back and removes it with helm. Needs nodes that report pods ready.
 * @param program path of helm
 * @param folder folder for the package and the files of helm
 */
export const proveRelease = async (
  cluster: PreparedCluster,
  program: string,
  folder: string,
  report: Report,
): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  const scene = sceneOf(cluster, program, folder, NAMESPACE);
  await runCommand(program, ['package', CHART, '--destination', folder]);
  const [chart = ''] = readdirSync(folder).flatMap((file) => (file.endsWith('.tgz') ? [join(folder, file)] : []));
  await runCommand('tar', ['-xzf', chart], { cwd: folder });
  await proveSteps(scene, chart, report);
  const all = sceneOf(cluster, program, folder, `${NAMESPACE}-all`);
  await prepareNamespace(all, `${NAMESPACE}-all`);
  await all.helm('install', 'weft', chart, ...all.values('everything', EVERYTHING));
  const manifest = await all.helm('get', 'manifest', 'weft');
  report(`helm install with every component: ${manifest.match(/^kind:/gm)?.length ?? 0} objects accepted`);
  await all.helm('uninstall', 'weft');
};
