import type { Holes } from './emit-template';
import { SERVICES } from '@weft/e2e/services';
import type { Json, Scalar } from './json';
import { conditionOf } from './layers';

/** Namespace under which the manifests are read; the chart has that of the release in its place. */
export const NAMESPACE = 'weft';
const HOST = 'weft.example.org';
const RUNBOOKS = 'https://runbooks.example.org';

/** A place in the manifests that a value fills. */
interface Rule {
  readonly path: RegExp;
  /** Only scalars with this value. */
  readonly only?: Scalar;
  /** Path of the value. Its default is what the manifests have there, unless the value has one. */
  readonly value?: string;
  /** The template text, where it is more than the value. */
  readonly text?: (value: string) => string;
}

const quoted = (expression: string): string => `{{ ${expression} | quote }}`;

const secretRules = (
  [
    ['mongodb', 'weft-mongodb'],
    ['serviceKeys', 'weft-service-keys'],
    ['masterKey', 'weft-master-key'],
    ['owner', 'weft-owner'],
    ['nats', 'weft-nats'],
  ] as const
).flatMap(([value, only]): Rule[] => [
  { path: /:.*\.(?:secretName|secretKeyRef\.name)$/, only, value: `secrets.${value}` },
  { path: new RegExp(`^ExternalSecret/${only}:(?:metadata|spec\\.target)\\.name$`), value: `secrets.${value}` },
  ...(value === 'nats'
    ? []
    : [{ path: new RegExp(`^ExternalSecret/${only}:spec\\.dataFrom\\[0\\]`), value: `externalSecrets.keys.${value}` }]),
]);

const scalingRules = SERVICES.flatMap((service): Rule[] => {
  const path = `^(?:HorizontalPodAutoscaler|ScaledObject)/weft-${service}:spec\\.`;
  return [
    { path: new RegExp(`${path}min\\w+$`), value: `autoscaling.${service}.minReplicas`, text: String },
    { path: new RegExp(`${path}max\\w+$`), value: `autoscaling.${service}.maxReplicas`, text: String },
    { path: new RegExp(`${path}metrics.*averageValue$`), value: `autoscaling.${service}.cpu` },
  ];
});

const RULES: readonly Rule[] = [
  { path: /^ConfigMap\/weft-operator:data\.CLUSTER_NAME$/, value: 'operator.clusterName' },
  { path: /^ClusterRoleBinding\/[^:]+:subjects.*\.namespace$/, text: () => quoted('.Release.Namespace') },
  { path: /^[^:]+:metadata\.namespace$/, text: () => quoted('.Release.Namespace') },
  { path: /\.image$/, only: 'mongo:8.0', value: 'mongodb.image' },
  { path: /\.image$/, only: 'nats:2.12-alpine', value: 'nats.image' },
  {
    path: /\.image$/,
    text: (value) => quoted(`include "weft.image" (dict "root" $ "service" "${value.replace('weft-', '')}")`),
  },
  ...secretRules,
  {
    path: /(?:secretName|certificateRefs\[weft-gateway-tls\]\.name)$/,
    only: 'weft-gateway-tls',
    value: 'tls.secretName',
  },
  { path: /PUBLIC_URL$/, text: () => quoted('.Values.publicUrl') },
  { path: /./, only: HOST, text: () => quoted('include "weft.host" .') },
  { path: /^StatefulSet\/weft-mongodb:.*\.storage$/, value: 'mongodb.storage' },
  {
    path: /^StatefulSet\/weft-nats:.*\.storage$/,
    text: (value) => quoted(`.Values.nats.storage | default "${value}"`),
  },
  { path: /^Gateway\/weft:spec\.gatewayClassName$/, text: () => quoted('.Values.gatewayApi.className') },
  { path: /^Ingress\/weft-gateway:spec\.ingressClassName$/, text: () => quoted('.Values.ingress.className') },
  { path: /^Certificate\/weft-gateway:spec\.issuerRef\.kind$/, value: 'tls.issuer.kind' },
  { path: /^Certificate\/weft-gateway:spec\.issuerRef\.name$/, value: 'tls.issuer.name' },
  { path: /^Certificate\/weft-nats:spec\.issuerRef\.name$/, value: 'nats.security.certificate.issuer' },
  { path: /^Certificate\/.*:spec\.issuerRef\.name$/, only: 'weft-services', value: 'mutualTls.certificates.issuer' },
  ...scalingRules,
  { path: /^ScaledObject\/.*\.serverAddress$/, value: 'autoscaling.prometheus' },
  { path: /^ScaledObject\/.*\.query$/, text: (value) => inNamespace(value) },
  {
    path: /^PrometheusRule\/.*\.runbook_url$/,
    text: (value) => JSON.stringify(value.replace(RUNBOOKS, '{{ .Values.monitoring.runbooks }}')),
  },
  { path: /^PodMonitor\/.*\.annotations\.weft\.dev\/runbooks$/, text: () => quoted('.Values.monitoring.runbooks') },
  { path: /^CronJob\/weft-back-up:spec\.schedule$/, value: 'backUp.schedule' },
  { path: /^CronJob\/weft-back-up:.*containers\[prune\]\.args\[2\]$/, value: 'backUp.keep' },
  { path: /^PersistentVolumeClaim\/weft-back-ups:.*\.storage$/, value: 'backUp.storage' },
  {
    path: /^CronJob\/weft-back-up:.*\.claimName$/,
    text: (value) => quoted(`.Values.backUp.existingClaim | default "${value}"`),
  },
  { path: /^ExternalSecret\/.*secretStoreRef\.kind$/, value: 'externalSecrets.store.kind' },
  { path: /^ExternalSecret\/.*secretStoreRef\.name$/, text: () => quoted('.Values.externalSecrets.store.name') },
  { path: /^ExternalSecret\/.*refreshInterval$/, value: 'externalSecrets.refreshInterval' },
  { path: /^PrometheusRule\/.*\.expr$/, text: (value) => inNamespace(value) },
];

const STORE_BYTES = /(?<=weft_store_bytes.*\)\) > )\S+$/;

/** A query for the namespace of the release. */
const inNamespace = (query: string): string =>
  JSON.stringify(
    query.replaceAll(`namespace="${NAMESPACE}"`, 'namespace="NAMESPACE"').replace(STORE_BYTES, 'STORE_BYTES'),
  )
    .replaceAll('NAMESPACE', '{{ .Release.Namespace }}')
    .replace('STORE_BYTES', '{{ .Values.monitoring.storeBytes }}');

/** Remembers what the manifests have where a value has its place. */
export type NoteDefault = (value: string, found: Json) => void;

const scalarHole =
  (note: NoteDefault) =>
  (path: string, found: Scalar): string | undefined => {
    const rule = RULES.find((one) => one.path.test(path) && (one.only === undefined || one.only === found));
    if (rule === undefined) return undefined;
    if (path.endsWith('.expr')) {
      const [limit] = STORE_BYTES.exec(String(found)) ?? [];
      if (limit !== undefined) note('monitoring.storeBytes', limit);
    }
    if (rule.value === undefined) return rule.text?.(String(found));
    note(rule.value, found);
    const expression = `.Values.${rule.value}`;
    return rule.text === undefined ? quoted(expression) : `{{ ${expression} }}`;
  };

const SERVICE_PATH = new RegExp(`^(Deployment|ServiceAccount|ConfigMap)/weft-(${SERVICES.join('|')}):(.*)$`);

const withLines = (expression: string, head: string, indent: number): readonly string[] => [
  `{{- with ${expression} }}`,
  ...(head === '' ? [] : [head]),
  `${' '.repeat(head === '' ? 0 : 2)}{{- toYaml . | nindent ${indent} }}`,
  '{{- end }}',
];

const storageClass = (value: string): readonly string[] => [
  `{{- with .Values.${value}.storageClass }}`,
  'storageClassName: {{ . | quote }}',
  '{{- end }}',
];

const withReplicas = (service: string, production: number): readonly string[] => [
  `{{- with include "weft.replicas" (dict "root" $ "service" "${service}" "production" ${production}) }}`,
  'replicas: {{ . }}',
  '{{- end }}',
];

/** Lines at the end of a map. @param replicas the number of replicas of each service in production */
const injected = (path: string, replicas: ReadonlyMap<string, number>): readonly string[] => {
  const [, kind = '', service = '', rest = ''] = SERVICE_PATH.exec(path) ?? [];
  const values = `.Values.${service}`;
  if (kind === 'ServiceAccount' && rest === 'metadata')
    return withLines(`${values}.serviceAccountAnnotations`, 'annotations:', 4);
  if (kind === 'Deployment' && rest === 'spec') return withReplicas(service, replicas.get(service) ?? 1);
  if (kind === 'Deployment' && rest === 'spec.template.metadata')
    return [
      'annotations:',
      `  checksum/config: {{ include "weft.checksum" (dict "root" $ "service" "${service}") }}`,
      ...withLines(`${values}.podAnnotations`, '', 8),
    ];
  if (kind === 'Deployment' && rest === 'spec.template.metadata.labels') return withLines(`${values}.podLabels`, '', 8);
  if (kind === 'Deployment' && rest === 'spec.template.spec')
    return [`{{- include "weft.pod" (dict "root" $ "service" "${service}") | nindent 6 }}`];
  if (path === 'StatefulSet/weft-nats:spec.template.metadata')
    return [
      '{{- if eq .Values.nats.mode "cluster" }}',
      'annotations:',
      '  checksum/config: {{ include "weft.natsChecksum" . }}',
      '{{- end }}',
    ];
  if (path === 'StatefulSet/weft-mongodb:spec.volumeClaimTemplates[0].spec') return storageClass('mongodb');
  if (path === 'StatefulSet/weft-nats:spec.volumeClaimTemplates[0].spec') return storageClass('nats');
  if (path === 'PersistentVolumeClaim/weft-back-ups:spec') return storageClass('backUp');
  if (path === 'CronJob/weft-back-up:spec.jobTemplate.spec.template.spec')
    return withLines('.Values.image.pullSecrets', 'imagePullSecrets:', 12);
  if (path === 'Deployment/weft-operator:spec.template.spec')
    return withLines('.Values.image.pullSecrets', 'imagePullSecrets:', 8);
  if (/^(PodMonitor|PrometheusRule)\/weft:metadata\.labels$/.test(path))
    return withLines('.Values.monitoring.labels', '', 4);
  return [];
};

const replaced = (path: string): readonly string[] | undefined => {
  const [, kind, service = '', rest] = SERVICE_PATH.exec(path) ?? [];
  if (kind === 'Deployment' && rest === 'spec.replicas') return [];
  if (kind === 'ConfigMap' && rest === 'data')
    return ['data:', `  {{- include "weft.config" (dict "root" $ "service" "${service}") | nindent 2 }}`];
  if (path === 'ConfigMap/weft-dashboards:data')
    return ['data:', '  {{- (.Files.Glob "dashboards/*.json").AsConfig | nindent 2 }}'];
  if (path === 'Ingress/weft-gateway:metadata.annotations')
    return withLines('.Values.ingress.annotations', 'annotations:', 4);
  return undefined;
};

const overridden = (path: string): string | undefined => {
  if (path === 'ConfigMap/weft-infrastructure:data.NATS_URL') return '.Values.nats.url';
  const [, kind, service = '', rest = ''] = SERVICE_PATH.exec(path) ?? [];
  if (kind !== 'Deployment') return undefined;
  const container = `spec.template.spec.containers[${service}]`;
  if (rest === `${container}.resources`) return `.Values.${service}.resources`;
  if (rest === `${container}.env[NODE_OPTIONS].value`) return `.Values.${service}.nodeOptions`;
  return undefined;
};

/** Objects that a value makes unnecessary. */
const WANTED: Readonly<Record<string, string>> = {
  'ExternalSecret/weft-owner': '.Values.externalSecrets.keys.owner',
  'PersistentVolumeClaim/weft-back-ups': '(not .Values.backUp.existingClaim)',
};

/** The places that the values of the chart fill. */
export const createHoles = (replicas: ReadonlyMap<string, number>, note: NoteDefault): Holes => ({
  scalar: scalarHole(note),
  override: overridden,
  inject: (path) => injected(path, replicas),
  replace: replaced,
  wanted: (path) => WANTED[path],
  condition: conditionOf,
});
