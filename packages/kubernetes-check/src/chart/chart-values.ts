import { SERVICES, type ServiceName } from '@weft/e2e/services';
import {
  anyList,
  anyMap,
  digest,
  enabled,
  flag,
  name,
  orNull,
  setting,
  size,
  text,
  texts,
  type ChartValue,
} from './value-schemas';
import { ACCESS, OPERATION } from './operation-values';

const GENERAL: readonly ChartValue[] = [
  {
    path: 'profile',
    default: 'production',
    doc:
      'Sizes and settings: `production` (two or more replicas on several nodes) or `small` (one replica of ' +
      'each in 4 GiB).',
    schema: { enum: ['production', 'small'] },
  },
  {
    path: 'publicUrl',
    default: '',
    doc:
      'Public address of the gateway, such as `https://weft.our.example`. Required, except for a `small` ' +
      'installation that is reached only by port forwarding.',
    schema: { type: 'string', pattern: '^(https?://[^/\\s]+)?$' },
  },
  {
    path: 'webhookHost',
    default: '',
    doc:
      'Separate host for webhooks, forms and waiting runs, such as `hooks.our.example`; see security.md. ' +
      'Route it to the gateway too.',
    schema: text,
  },
  {
    path: 'image.registry',
    default: '',
    doc:
      'Registry and folder of the images, which are `gateway`, `workflows`, `executions`, `credentials`, `runner` ' +
      'and, with `operator.enabled`, `operator`. Required.',
    schema: { type: 'string', pattern: '^([^:@/\\s]+(:[0-9]+)?(/[^:@\\s]+)?)?$' },
  },
  {
    path: 'image.tag',
    default: '',
    doc: 'Tag of the images; empty: the `appVersion` of the chart. A digest takes precedence.',
    schema: text,
  },
  {
    path: 'image.pullSecrets',
    default: [],
    doc: 'Secrets for the registry: `[{ name: … }]`.',
    schema: { type: 'array', items: { type: 'object', required: ['name'], properties: { name: text } } },
  },
];

const serviceValues = (service: ServiceName): readonly ChartValue[] => [
  {
    path: `${service}.digest`,
    default: '',
    doc: 'Digest of the image, `sha256:…`. Releases fill it in.',
    schema: digest,
  },
  {
    path: `${service}.replicas`,
    default: null,
    doc: 'Number of replicas; null: the number of the profile. Unused with `autoscaling.enabled`.',
    schema: orNull({ type: 'integer' }),
  },
  {
    path: `${service}.resources`,
    default: {},
    doc: 'Requests and limits, in place of those of the profile. Set `nodeOptions` as well.',
    schema: anyMap,
  },
  {
    path: `${service}.nodeOptions`,
    default: '',
    doc:
      'Heap of the process, such as `--max-old-space-size=384 --max-semi-space-size=16`; empty: that of the ' +
      'profile.',
    schema: text,
  },
  {
    path: `${service}.config`,
    default: {},
    doc:
      'Settings of the service by the names in configuration.md, all strings; null removes a setting of the ' +
      'profile.',
    schema: setting,
  },
  { path: `${service}.podAnnotations`, default: {}, doc: 'Annotations of the pods.', schema: texts },
  { path: `${service}.podLabels`, default: {}, doc: 'Additional labels of the pods.', schema: texts },
  {
    path: `${service}.serviceAccountAnnotations`,
    default: {},
    doc: 'Annotations of the service account.',
    schema: texts,
  },
  { path: `${service}.nodeSelector`, default: {}, doc: 'Node selector of the pods.', schema: texts },
  { path: `${service}.tolerations`, default: [], doc: 'Tolerations of the pods.', schema: anyList },
  { path: `${service}.affinity`, default: {}, doc: 'Affinity of the pods.', schema: anyMap },
  { path: `${service}.priorityClassName`, default: '', doc: 'Priority class of the pods.', schema: text },
];

const SERVERS: readonly ChartValue[] = [
  {
    path: 'mongodb.inCluster',
    default: false,
    doc:
      'One MongoDB server in the cluster, for a trial or a small installation. Otherwise use your own MongoDB, whose ' +
      'address is in the secret.',
    schema: flag,
  },
  { path: 'mongodb.image', doc: 'Image of that server; a digest may be appended.', schema: text },
  { path: 'mongodb.storage', doc: 'Size of its volume.', schema: size },
  {
    path: 'mongodb.storageClass',
    default: '',
    doc: 'Storage class of its volume; empty: the default one.',
    schema: text,
  },
  {
    path: 'nats.mode',
    default: 'cluster',
    doc: '`cluster`: three servers in the cluster. `single`: one server. `external`: your own servers, at `nats.url`.',
    schema: { enum: ['cluster', 'single', 'external'] },
  },
  {
    path: 'nats.url',
    default: '',
    doc:
      'Address of an external NATS with JetStream: `nats://` or `tls://`, several separated by commas. Set ' +
      'NATS_STREAM_REPLICAS in `executions.config` to the number of its servers, 3 at most.',
    schema: { type: 'string', pattern: '^((nats|tls)://[^\\s]+)?$' },
  },
  { path: 'nats.image', doc: 'Image of the servers in the cluster; a digest may be appended.', schema: text },
  {
    path: 'nats.storage',
    default: '',
    doc: 'Size of the volume of each server in the cluster; empty: 2Gi for `cluster`, 1Gi for `single`.',
    schema: { type: 'string', pattern: '^([0-9]+(\\.[0-9]+)?[KMGTPE]i?)?$' },
  },
  { path: 'nats.storageClass', default: '', doc: 'Storage class of those volumes.', schema: text },
  enabled('nats.security', 'TLS and an nkey for `nats.mode: cluster`.'),
  enabled('nats.security.certificate', 'Request the certificate of the servers from cert-manager.'),
  {
    path: 'nats.security.certificate.issuer',
    doc: 'Issuer (in the namespace, with its own authority) of that certificate.',
    schema: name,
  },
];

const SECRETS: readonly ChartValue[] = [
  {
    path: 'secrets.mongodb',
    doc: 'Secret with the keys `workflows`, `executions`, `credentials`: a connection string for each service.',
    schema: name,
  },
  {
    path: 'secrets.serviceKeys',
    doc: 'Secret with a private key for each service, under the name of the service, and `public`.',
    schema: name,
  },
  { path: 'secrets.masterKey', doc: 'Secret with the key `current`, and `previous` during a rotation.', schema: name },
  { path: 'secrets.owner', doc: 'Optional secret with `email` and `password` of the first owner.', schema: name },
  {
    path: 'secrets.nats',
    doc: 'Optional secret with `user` and `password`, or `token`, or the files for other ways to authenticate at NATS.',
    schema: name,
  },
  enabled(
    'externalSecrets',
    'Create these secrets from a store outside the cluster with the External Secrets Operator.',
  ),
  {
    path: 'externalSecrets.store.kind',
    doc: 'Kind of the store.',
    schema: { enum: ['ClusterSecretStore', 'SecretStore'] },
  },
  {
    path: 'externalSecrets.store.name',
    default: '',
    doc: 'Name of the store. Required with `externalSecrets.enabled`.',
    schema: text,
  },
  {
    path: 'externalSecrets.refreshInterval',
    doc: 'Interval at which the secrets are read again.',
    schema: { type: 'string', pattern: '^[0-9]+(s|m|h)$' },
  },
  {
    path: 'externalSecrets.keys.mongodb',
    doc: 'Name in the store of the object whose properties are the keys of `weft-mongodb`.',
    schema: text,
  },
  { path: 'externalSecrets.keys.serviceKeys', doc: 'The same for the service keys.', schema: text },
  { path: 'externalSecrets.keys.masterKey', doc: 'The same for the master key.', schema: text },
  {
    path: 'externalSecrets.keys.owner',
    doc: 'The same for the first owner; if it is empty, the set-up page creates the owner.',
    schema: text,
  },
];

/** All values, in the order of values.yaml. */
export const CHART_VALUES: readonly ChartValue[] = [
  ...GENERAL,
  ...SECRETS,
  ...SERVERS,
  ...ACCESS,
  ...OPERATION,
  ...SERVICES.flatMap(serviceValues),
];
