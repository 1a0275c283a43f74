import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFESTS, objectsOf, type Rendered } from './rendered';
import { SERVICES, type ServiceName } from './services';

type Labels = Readonly<Record<string, string>>;
interface Peer {
  readonly podSelector?: { readonly matchLabels?: Labels };
  readonly namespaceSelector?: { readonly matchLabels?: Labels };
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}
interface Rule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  /** Absent: all. */
  readonly ports?: readonly { readonly port: number | string }[];
}
interface Policy {
  readonly podSelector: { readonly matchLabels: Labels };
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}
interface Workload {
  readonly template?: {
    readonly spec: {
      readonly containers: readonly {
        readonly env?: readonly { readonly name: string; readonly value?: string }[];
        readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
      }[];
    };
  };
}

const COMPONENT = 'app.kubernetes.io/component';
const folder = join(MANIFESTS, 'components', 'network-policies');
const policies = readdirSync(folder)
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap((file): Rendered<Policy>[] => objectsOf(readFileSync(join(folder, file), 'utf8')));
const policyOf = (name: string): Policy | undefined =>
  policies.find(({ metadata }) => metadata.name === `weft-${name}`)?.spec;

const containerOf = (service: ServiceName) =>
  objectsOf<Workload>(readFileSync(join(MANIFESTS, 'base', `${service}.yaml`), 'utf8')).find(
    ({ kind }) => kind === 'Deployment',
  )?.spec.template?.spec.containers[0];

/** A call between two processes: caller, callee and port. */
type Edge = readonly [from: string, to: string, port: string];
const sorted = (edges: readonly Edge[]): string[] => edges.map((edge) => edge.join(' ')).sort();

/** The port of a process by its name. */
const portOf = (service: string, name: number | string): string => {
  if (typeof name === 'number') return String(name);
  const known = SERVICES.find((one) => one === service);
  const found = known && containerOf(known)?.ports?.find((port) => port.name === name)?.containerPort;
  return String(found ?? name);
};

/** The calls of processes to each other, as their variables name them. */
const called: readonly Edge[] = SERVICES.flatMap((service) =>
  (containerOf(service)?.env ?? []).flatMap(({ value = '' }): Edge[] => {
    const [, target, port] = /^dns:\/\/\/weft-(\w+):(\d+)$/.exec(value) ?? [];
    return target === undefined || port === undefined ? [] : [[service, target, port]];
  }),
);
const uses = (variable: string): string[] =>
  SERVICES.filter((service) => containerOf(service)?.env?.some(({ name }) => name === variable)).sort();

const peersOf = (peers: readonly Peer[] | undefined): string[] =>
  (peers ?? []).flatMap(({ podSelector, namespaceSelector }) =>
    podSelector === undefined || namespaceSelector !== undefined
      ? []
      : [podSelector.matchLabels?.[COMPONENT] ?? 'any pod of Weft'],
  );

describe('the network policies', () => {
  it('deny every pod of Weft everything that no other policy allows', () => {
    expect(policyOf('default-deny')).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/name': 'weft' } },
      policyTypes: ['Ingress', 'Egress'],
    });
  });

  it('let out exactly the calls that the processes make', () => {
    const allowed = SERVICES.flatMap((service) =>
      (policyOf(service)?.egress ?? []).flatMap(({ to, ports = [] }) =>
        peersOf(to).map((peer): Edge => [service, peer, ports.map(({ port }) => port).join()]),
      ),
    );
    expect(sorted(allowed)).toEqual(sorted(called));
  });

  it('let in exactly the calls that the processes make', () => {
    const allowed = SERVICES.flatMap((service) =>
      (policyOf(service)?.ingress ?? []).flatMap(({ from, ports = [] }) =>
        peersOf(from).map((peer): Edge => [peer, service, ports.map(({ port }) => portOf(service, port)).join()]),
      ),
    );
    expect(sorted(allowed)).toEqual(sorted(called));
  });

  it.each([
    ['mongodb', 27_017, 'MONGODB_URI_FILE', ['back-up']],
    ['nats', 4_222, 'NATS_URL', []],
  ])('let those processes use %s that are told its address', (server, port, variable, others) => {
    const out = SERVICES.filter((service) =>
      policyOf(service)?.egress?.some(
        ({ to, ports = [] }) => to === undefined && ports.some((one) => one.port === port),
      ),
    ).sort();
    expect(out).toEqual(uses(variable));
    const into = policyOf(server)?.ingress?.find(({ ports = [] }) => ports.some((one) => one.port === server));
    expect(peersOf(into?.from).sort()).toEqual([...uses(variable), ...others].sort());
  });

  it('let only runners reach the internet, and no private address of it', () => {
    const open = policies.flatMap(({ metadata, spec }) =>
      (spec.egress ?? []).flatMap(({ to = [] }) =>
        to.flatMap(({ ipBlock }) => (ipBlock ? [{ metadata, ipBlock }] : [])),
      ),
    );
    expect(new Set(open.map(({ metadata }) => metadata.name))).toEqual(new Set(['weft-runner']));
    const ipv4 = open.find(({ ipBlock }) => ipBlock.cidr === '0.0.0.0/0')?.ipBlock.except;
    for (const range of ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '127.0.0.0/8'])
      expect(ipv4).toContain(range);
  });

  it('let only the services call runners that have credentials tested or notifications sent there', () => {
    expect(policyOf('runner')?.ingress?.map(({ from }) => peersOf(from))).toEqual([['credentials', 'executions']]);
  });

  it('let gRPC clients in with the component for them, if namespace and pod have its label', () => {
    const file = join(MANIFESTS, 'components', 'grpc-clients', 'policy.yaml');
    const [clients] = objectsOf<Policy>(readFileSync(file, 'utf8'));
    const label = { matchLabels: { 'weft.dev/grpc-client': 'true' } };
    expect(clients?.spec).toEqual({
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': 'weft' },
        matchExpressions: [{ key: COMPONENT, operator: 'In', values: ['workflows', 'executions', 'credentials'] }],
      },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ namespaceSelector: label, podSelector: label }], ports: [{ port: 'grpc' }] }],
    });
    for (const service of ['workflows', 'executions', 'credentials'] as const)
      expect(containerOf(service)?.ports?.map(({ name }) => name)).toContain('grpc');
  });

  it('let the world in at the gateway only, and Prometheus at the port of metrics', () => {
    const fromNamespaces = policies.flatMap(({ metadata, spec }) =>
      (spec.ingress ?? []).flatMap(({ from = [], ports }) =>
        from.flatMap(({ namespaceSelector }) =>
          namespaceSelector === undefined ? [] : [[metadata.name, namespaceSelector.matchLabels, ports]],
        ),
      ),
    );
    expect(fromNamespaces).toEqual([
      ['weft-metrics', { 'weft.dev/monitoring': 'true' }, [{ port: 'metrics' }]],
      ['weft-gateway', { 'weft.dev/ingress': 'true' }, [{ port: 'http' }]],
    ]);
  });
});
