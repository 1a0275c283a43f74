import { type Report, runAsCommand, StackError, waitUntil } from '@weft/local-stack';
import { prepareCluster } from '../cluster/prepare-cluster';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { findHelm } from '../chart-check/find-helm';
import { proveRelease } from './k8s-release';
import { bringNodes, proveScheduling } from './k8s-scheduling';
import { COMPONENTS, HAS_KUBECTL, manifestWith, objectsOf, type Rendered } from '@weft/e2e/rendered';

/** Components that only fit the production overlay. */
const IN_PRODUCTION: readonly string[] = ['fixed-replicas', 'nats-cluster', 'nats-security', 'production'];
/** Components that the overlays local and small have. */
const IN_LOCAL: readonly string[] = ['mongodb-single', 'nats-single', 'small'];
const SETS: readonly (readonly [overlay: string, ...components: string[]])[] = [
  ['local'],
  ['small'],
  ['production'],
  ['small', ...COMPONENTS.filter((name) => ![...IN_PRODUCTION, ...IN_LOCAL].includes(name))],
  ['production', 'monitoring', 'tls', 'gateway-api', 'ingress', 'nats-security', 'nats-certificate', 'grpc-clients'],
];
const isPlainProduction = (set: readonly string[]): boolean => set.join() === 'production';
const PODS_LIMIT_MS = 120_000;
const RESTRICTED = 'pod-security.kubernetes.io/enforce: restricted';

interface Workload {
  readonly replicas?: number;
}
interface Listed<Item> {
  readonly items: readonly Item[];
}

/** kubectl against one cluster. @throws StackError with the message of the API server */
type Kubectl = (args: readonly string[], input?: string) => { readonly output: string; readonly warnings: string };

const kubectlFor =
  (kubeconfig: string): Kubectl =>
  (args, input = '') => {
    const done = spawnSync('kubectl', ['--kubeconfig', kubeconfig, ...args], { input, encoding: 'utf8' });
    if (done.status !== 0) throw new StackError(`kubectl ${args.slice(0, 2).join(' ')}: ${done.stderr.trim()}`);
    return { output: done.stdout, warnings: done.stderr.trim() };
  };

const APPLY = ['apply', '--server-side', '--validate=strict', '-f', '-'];

/** Registers the custom resources. Those of *.k8s.io need an annotation with their approval. */
const applyDefinitions = (kubectl: Kubectl, folder: string): number => {
  const definitions = readdirSync(folder).map((file) => {
    const definition: Rendered & { metadata: { annotations?: Record<string, string> } } = parse(
      readFileSync(join(folder, file), 'utf8'),
    );
    definition.metadata.annotations = {
      ...definition.metadata.annotations,
      'api-approved.kubernetes.io': 'unapproved, generated for a check',
    };
    return definition;
  });
  kubectl(APPLY, definitions.map((definition) => stringify(definition)).join('---\n'));
  kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  return definitions.length;
};

/** Checks the check: invalid objects must be refused. */
const proveRefusals = (kubectl: Kubectl): void => {
  kubectl(APPLY, `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: refusals\n  labels: { ${RESTRICTED} }\n`);
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'plain', namespace: 'refusals' } };
  const container = { name: 'plain', image: 'plain:1' };
  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['a pod without a security context', { ...pod, spec: { containers: [container] } }, /violates PodSecurity/],
    ['a misspelt field', { ...pod, spec: { contaners: [container] } }, /contaners/],
  ];
  for (const [what, object, expected] of wrong) {
    let said = 'accepted';
    try {
      kubectl(APPLY, stringify(object));
    } catch (error) {
      said = String(error);
    }
    if (!expected.test(said)) throw new StackError(`The API server did not refuse ${what}: ${said}`);
  }
};

/** Waits until the controllers have made every pod, which admission may refuse. */
const waitForPods = async (
  kubectl: Kubectl,
  namespace: string,
  objects: readonly Rendered<Workload>[],
): Promise<number> => {
  const workloads = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  const wanted = workloads.reduce((sum, { spec }) => sum + (spec.replicas ?? 1), 0);
  const list = <Item>(kind: string): readonly Item[] => {
    const listed: Listed<Item> = JSON.parse(kubectl(['get', kind, '-n', namespace, '-o', 'json']).output);
    return listed.items;
  };
  const refused = (): readonly string[] =>
    list<{ readonly reason: string; readonly message: string }>('events')
      .filter(({ reason }) => reason === 'FailedCreate')
      .map(({ message }) => message);
  // The pods of a StatefulSet come one after the other, and the first is never ready here.
  const first = workloads.filter(({ kind }) => kind === 'StatefulSet').length;
  const least = workloads
    .filter(({ kind }) => kind === 'Deployment')
    .reduce((sum, { spec }) => sum + (spec.replicas ?? 1), first);
  await waitUntil(() => Promise.resolve(list('pods').length >= least || refused().length > 0), {
    limitMs: PODS_LIMIT_MS,
    everyMs: 500,
  });
  const problems = refused();
  if (problems.length > 0) throw new StackError(`Pods were refused in ${namespace}: ${problems.join('\n')}`);
  const made = list('pods').length;
  if (made < least) throw new StackError(`Of ${wanted} pods of ${namespace} only ${made} were made.`);
  return made;
};

/** Proves that the number of replicas set by an autoscaler survives the next apply. */
const proveScaleSurvives = (kubectl: Kubectl, namespace: string, text: string): void => {
  const replicas = ['-n', namespace, 'deployment/weft-gateway'];
  kubectl(['scale', '--replicas=5', ...replicas]);
  kubectl(APPLY, text);
  const { output } = kubectl(['get', ...replicas, '-o', 'jsonpath={.spec.replicas}']);
  if (output !== '5') throw new StackError(`An apply set the 5 replicas of an autoscaler to ${output}.`);
};

/** Kinds of the manifests that belong to no namespace, besides the namespace itself. */
const KINDS_OF_CLUSTER = new Set<string | undefined>(['CustomResourceDefinition', 'ClusterRole', 'ClusterRoleBinding']);

const check = async (report: Report, folder: string): Promise<number> => {
  if (!HAS_KUBECTL) throw new StackError('kubectl is missing: put it on the PATH.');
  const cluster = await prepareCluster(folder, report, true);
  try {
    const kubectl = kubectlFor(cluster.kubeconfig);
    report(kubectl(['version']).output.trim());
    report(`${applyDefinitions(kubectl, cluster.definitions)} definitions of custom resources accepted`);
    proveRefusals(kubectl);
    report('refused, as it should: a pod without a security context, a misspelt field');
    const ofCluster = new Set<string>();
    for (const [index, [overlay, ...components]] of SETS.entries()) {
      const namespace = `weft-${index + 1}`;
      const name = [overlay, ...components].join(' + ');
      const text = manifestWith(overlay, components, namespace);
      const objects = objectsOf<Workload>(text);
      const { output, warnings } = kubectl(APPLY, text);
      if (warnings !== '') throw new StackError(`${name}: ${warnings}`);
      const accepted = output.trim().split('\n').length;
      const pods = await waitForPods(kubectl, namespace, objects);
      for (const { kind, metadata } of objects)
        if (KINDS_OF_CLUSTER.has(kind)) ofCluster.add(`${kind}/${metadata.name}`);
      if (components.includes('autoscaling')) proveScaleSurvives(kubectl, namespace, text);
      report(`${name}: ${accepted} objects accepted without a warning, ${pods} pods admitted under restricted`);
    }
    // A cluster has one of each, and Helm takes over none that something else installed.
    kubectl(['delete', ...ofCluster]);
    const nodes = await bringNodes(cluster, report);
    try {
      await proveScheduling(cluster, nodes, `weft-${SETS.findIndex(isPlainProduction) + 1}`, report);
      await proveRelease(cluster, await findHelm(report), join(folder, 'helm'), report);
    } finally {
      await nodes.stop();
    }
    return 0;
  } finally {
    await cluster.stop();
  }
};

/** `npm run check:k8s`: applies every overlay, component and the chart to a real API server, strictly. */
runAsCommand(async ({ report, interrupted }) => {
  const folder = mkdtempSync(join(tmpdir(), 'weft-k8s-'));
  try {
    return await Promise.race([check(report, folder), interrupted]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
