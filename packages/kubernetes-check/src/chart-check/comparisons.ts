import { NEEDED } from '@weft/e2e/rendered';
import { IMAGES } from '@weft/e2e/services';
import { isMap, type Json, type JsonMap } from '../chart/json';
import { LAYERS } from '../chart/layers';

/** Names that the manifests have in the place of those of a reader. */
const REGISTRY = 'registry.example.invalid/weft';
const TAG = '0.2.0';

/** Values with which the chart is the base with the component production, and nothing else. */
const BASE: JsonMap = {
  profile: 'production',
  publicUrl: 'https://weft.example.org',
  image: { registry: REGISTRY, tag: TAG },
  networkPolicies: { enabled: false },
  nats: { mode: 'external', url: 'nats://weft-nats:4222' },
};

interface Choice {
  readonly values: JsonMap;
  /** Components without which the chart refuses it, in addition to those that its manifests need. */
  readonly needs?: readonly string[];
  /** Components that do the same in another way. */
  readonly excludes?: readonly string[];
}

const on = { enabled: true } as const;

/** The values of each component. */
const CHOICES: Readonly<Record<string, Choice>> = {
  'network-policies': { values: { networkPolicies: on } },
  'nats-cluster': { values: { nats: { mode: 'cluster', url: '' } } },
  'nats-single': { values: { nats: { mode: 'single', url: '' } }, excludes: ['nats-cluster'] },
  'mongodb-single': { values: { mongodb: { inCluster: true } } },
  'nats-security': { values: { nats: { security: on } } },
  'nats-certificate': { values: { nats: { security: { certificate: on } } }, needs: ['nats-security'] },
  small: { values: { profile: 'small' } },
  'mutual-tls': { values: { mutualTls: on } },
  'mutual-tls-certificates': { values: { mutualTls: { certificates: on } }, needs: ['mutual-tls'] },
  'credential-files': { values: { credentialFiles: on } },
  'grpc-clients': { values: { grpcClients: on }, needs: ['network-policies'] },
  'grpc-clients-certificate': { values: { grpcClients: { certificate: on } }, needs: ['mutual-tls'] },
  autoscaling: { values: { autoscaling: on } },
  monitoring: { values: { monitoring: { ...on, runbooks: 'https://runbooks.example.org' } } },
  'gateway-api': { values: { gatewayApi: { ...on, className: 'example' } } },
  ingress: { values: { ingress: { ...on, className: 'nginx' } } },
  tls: { values: { tls: on } },
  'back-up': { values: { backUp: on } },
  gitops: { values: { operator: on } },
  'external-secrets': { values: { externalSecrets: { ...on, store: { name: 'example' } } } },
};

/** A kustomization of the base, and the values that must make the same of the chart. */
export interface Comparison {
  readonly components: readonly string[];
  readonly values: JsonMap;
}

const merged = (one: JsonMap, other: JsonMap): JsonMap =>
  Object.entries(other).reduce<JsonMap>((made, [key, value]: readonly [string, Json]) => {
    const before = made[key];
    return { ...made, [key]: isMap(before) && isMap(value) ? merged(before, value) : value };
  }, one);

const withNeeds = (names: readonly string[]): ReadonlySet<string> => {
  const all = new Set<string>();
  const add = (name: string): void => {
    for (const needed of [...(NEEDED[name] ?? []), ...(CHOICES[name]?.needs ?? [])]) add(needed);
    all.add(name);
  };
  names.forEach(add);
  for (const name of [...all]) for (const excluded of CHOICES[name]?.excludes ?? []) all.delete(excluded);
  return all;
};

/** The comparison for components of the chart and those that they need. */
const comparisonOf = (names: readonly string[]): Comparison => {
  const chosen = withNeeds(names);
  const order = LAYERS.map(({ component }) => component).filter((name) => chosen.has(name));
  const isSmall = chosen.has('small');
  const isScaled = chosen.has('autoscaling') || isSmall;
  const components = [...(isSmall ? [] : ['production']), ...(isScaled ? [] : ['fixed-replicas']), ...order];
  const values = order.reduce((made, name) => merged(made, CHOICES[name]?.values ?? {}), BASE);
  // The manifests have PUBLIC_URL in production alone.
  return { components, values: isSmall ? { ...values, publicUrl: '' } : values };
};

/** Components that need a public address, several replicas or several NATS servers. */
const NOT_SMALL: readonly string[] = [
  'gateway-api',
  'ingress',
  'tls',
  'autoscaling',
  'nats-cluster',
  'nats-security',
  'nats-certificate',
];
const small = (names: readonly string[]): readonly string[] => names.filter((name) => !NOT_SMALL.includes(name));

/** A sequence of numbers from 0 to below 1 that is the same in every run. */
const numbers = (seed: number) => (): number => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

/** Each component, all at once in both profiles, and mixtures. @param mixtures number of mixtures */
export const allComparisons = (mixtures: number): readonly Comparison[] => {
  const names = Object.keys(CHOICES);
  const next = numbers(1);
  const mixed = Array.from({ length: mixtures }, () => {
    const chosen = names.filter((name) => name !== 'nats-single' && next() < 0.4);
    return comparisonOf(chosen.includes('small') ? small(chosen) : chosen);
  });
  return [
    comparisonOf([]),
    ...names.map((name) => comparisonOf([name])),
    comparisonOf(names.filter((name) => name !== 'small' && name !== 'nats-single')),
    comparisonOf(small(names)),
    ...mixed,
  ];
};

/** The values that make the overlay production of the chart. */
export const PRODUCTION: Comparison = comparisonOf(['network-policies', 'nats-cluster']);

/** The name that the chart gives to an image of the manifests. */
export const imageOf = (name: string): string => {
  const service = IMAGES.find((one) => name === `weft-${one}`);
  return service === undefined ? name : `${REGISTRY}/${service}:${TAG}`;
};
