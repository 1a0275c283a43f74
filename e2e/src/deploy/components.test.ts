import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { findNats, findPlaces } from '@weft/local-stack';
import {
  COMPONENTS,
  HAS_KUBECTL,
  MANIFESTS,
  manifestWith,
  NEEDED,
  OVERLAYS,
  render,
  renderBase,
  renderWith,
  type Rendered,
} from './rendered';

/** The parts of the objects of components that name other objects. */
interface Spec {
  readonly replicas?: number;
  readonly scaleTargetRef?: { readonly name: string };
  readonly secretName?: string;
  readonly dnsNames?: readonly string[];
  readonly hostnames?: readonly string[];
  readonly tls?: readonly { readonly hosts: readonly string[]; readonly secretName: string }[];
  readonly listeners?: readonly { readonly tls?: { readonly certificateRefs: readonly { readonly name: string }[] } }[];
  readonly rules?: readonly {
    readonly backendRefs?: readonly { readonly name: string; readonly port: number }[];
    readonly http?: { readonly paths: readonly { readonly backend: { readonly service: Backend } }[] };
  }[];
  readonly ports?: readonly { readonly name: string; readonly port: number }[];
  readonly jobTemplate?: {
    readonly spec: {
      readonly template: {
        readonly spec: { readonly initContainers: readonly Step[] };
      };
    };
  };
  readonly podMetricsEndpoints?: readonly { readonly port: string }[];
  readonly template?: {
    readonly spec: {
      readonly containers: readonly {
        readonly ports: readonly { readonly name: string }[];
        readonly env?: readonly { readonly name: string; readonly value?: string }[];
        readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
      }[];
    };
  };
}
interface Step {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
}
interface Backend {
  readonly name: string;
  readonly port: { readonly name: string };
}

const ofKind = (objects: readonly Rendered<Spec>[], kind: string): Rendered<Spec>[] =>
  objects.filter((object) => object.kind === kind);
const named = (objects: readonly Rendered<Spec>[], kind: string, name: string): Spec | undefined =>
  ofKind(objects, kind).find(({ metadata }) => metadata.name === name)?.spec;
const keyOf = ({ kind, metadata }: Rendered<Spec>): string => `${kind} ${metadata.name}`;

/** Rolling restarts lose nothing with two replicas only. */
const replicasOf = (objects: readonly Rendered<Spec>[]): Record<string, number | undefined> =>
  Object.fromEntries(ofKind(objects, 'Deployment').map(({ metadata, spec }) => [metadata.name, spec.replicas]));

/** Kinds that are in no namespace. */
const OF_THE_CLUSTER = ['Namespace', 'CustomResourceDefinition', 'ClusterRole', 'ClusterRoleBinding'];

// kubectl is needed only by the tests of manifests: machines without it skip the rendered ones.
(HAS_KUBECTL ? describe : describe.skip)('the components', () => {
  it.each(COMPONENTS)('add only objects with new names to the base: %s', (component) => {
    const objects = renderBase<Spec>([...(NEEDED[component] ?? []), component]);
    const keys = objects.map(keyOf);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { kind, metadata } of objects) {
      if (!OF_THE_CLUSTER.includes(kind)) expect(metadata.namespace).toBe('weft');
      expect(metadata.name).toMatch(/^weft/);
    }
  });

  it('mount files for credentials where the service looks for them, and none of its own files there', () => {
    const [deployment] = renderWith<Spec>('local', ['credential-files']).filter(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'weft-credentials',
    );
    const container = deployment?.spec.template?.spec.containers[0];
    const folder = container?.env?.find(({ name }) => name === 'CREDENTIAL_FILES_DIR')?.value ?? 'none';
    expect(container?.volumeMounts?.filter(({ mountPath }) => mountPath.startsWith(folder))).toEqual([
      { name: 'credential-files', mountPath: folder, readOnly: true },
    ]);
    expect(container?.env?.filter(({ name, value }) => name.endsWith('_FILE') && value?.startsWith(folder))).toEqual(
      [],
    );
  });

  it('scale what exists, and leave the number of its replicas to the autoscaler', () => {
    const objects = renderWith<Spec>('local', ['autoscaling']);
    const targets = ['HorizontalPodAutoscaler', 'ScaledObject'].flatMap((kind) => ofKind(objects, kind));
    const deployments = replicasOf(objects);
    expect(targets.map(({ spec }) => spec.scaleTargetRef?.name).sort()).toEqual(Object.keys(deployments).sort());
    expect(Object.values(deployments)).toEqual(Array(5).fill(undefined));
  });

  it('name the namespace of the instance in the queries of KEDA and of the alerts', () => {
    const made = manifestWith('production', ['monitoring', 'autoscaling'], 'other');
    const named = made.replace(/\s+/g, ' ').match(/namespace="[^"]*"/g) ?? [];
    expect([...new Set(named)]).toEqual(['namespace="other"']);
    expect(named.length).toBeGreaterThan(30);
  });

  it('back up the databases in the order in which documents refer to each other, each with its own address', () => {
    const [job] = ofKind(renderWith<Spec>('local', ['back-up']), 'CronJob');
    const steps = job?.spec.jobTemplate?.spec.template.spec.initContainers ?? [];
    expect(steps.map(({ name, image, args }) => [name, image, args?.[0]])).toEqual([
      ['executions', 'weft-executions', 'create'],
      ['workflows', 'weft-workflows', 'create'],
      ['credentials', 'weft-credentials', 'create'],
    ]);
  });

  it('fix the numbers of replicas in production, two at least', () => {
    expect(replicasOf(render(join(MANIFESTS, 'overlays', 'production')))).toEqual({
      'weft-gateway': 2,
      'weft-workflows': 2,
      'weft-executions': 2,
      'weft-credentials': 2,
      'weft-runner': 3,
    });
  });

  it('lead from outside to a port of the gateway, with the certificate that is made for it', () => {
    const objects = renderWith<Spec>('local', ['tls', 'ingress', 'gateway-api']);
    const certificate = named(objects, 'Certificate', 'weft-gateway');
    const ports = named(objects, 'Service', 'weft-gateway')?.ports ?? [];
    const ingress = named(objects, 'Ingress', 'weft-gateway');
    const route = named(objects, 'HTTPRoute', 'weft-gateway');
    expect(ingress?.tls).toEqual([{ hosts: certificate?.dnsNames, secretName: certificate?.secretName }]);
    expect(ingress?.rules?.[0]?.http?.paths[0]?.backend.service).toEqual({
      name: 'weft-gateway',
      port: { name: ports[0]?.name },
    });
    expect(route?.rules?.[0]?.backendRefs).toEqual([{ name: 'weft-gateway', port: ports[0]?.port }]);
    expect(route?.hostnames).toEqual(certificate?.dnsNames);
    const certificates = named(objects, 'Gateway', 'weft')?.listeners?.flatMap(({ tls }) => tls?.certificateRefs ?? []);
    expect(certificates).toEqual([{ name: certificate?.secretName }]);
  });

  it('watch a port that every pod of Weft has', () => {
    const objects = renderWith<Spec>('local', ['monitoring']);
    const port = named(objects, 'PodMonitor', 'weft')?.podMetricsEndpoints?.[0]?.port;
    for (const { spec } of ofKind(objects, 'Deployment'))
      expect(spec.template?.spec.containers[0]?.ports.map(({ name }) => name)).toContain(port);
  });

  it.each(OVERLAYS)('give the overlay %s a NATS under the address that the processes have', (overlay) => {
    const objects = render<Spec>(join(MANIFESTS, 'overlays', overlay));
    expect(named(objects, 'Service', 'weft-nats')?.ports?.map(({ port }) => port)).toEqual([4222]);
    expect(named(objects, 'StatefulSet', 'weft-nats')?.replicas).toBe(overlay === 'production' ? 3 : 1);
  });
});

describe('the configuration of the NATS cluster', () => {
  it('is one that a NATS server accepts', async () => {
    const program = await findNats(findPlaces(process.env).cache, () => undefined);
    const file = join(MANIFESTS, 'components', 'nats-cluster', 'nats.conf');
    const said = execFileSync(program, ['-t', '-c', file], { env: { POD_NAME: 'weft-nats-0' }, stdio: 'pipe' });
    expect(said.toString()).toBe('');
  });
});
