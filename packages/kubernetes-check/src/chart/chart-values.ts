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
      'Address of the gateway as clients know it, such as `https://weft.our.example`. Required, but for a ' +
      '`small` installation that is reached by port forwarding alone.',
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
      'Registry and folder of the five images, which are `gateway`, `workflows`, `executions`, `credentials` ' +
      'and `runner`. Required.',
    schema: { type: 'string', pattern: '^([^:@/\\s]+(:[0-9]+)?(/[^:@\\s]+)?)?$' },
  },
  {
    path: 'image.tag',
    default: '',
    doc: 'Tag of the five images; empty: the `appVersion` of the chart. A digest takes precedence.',
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
    doc: 'Number of replicas; null: that of the profile. Unused with `autoscaling.enabled`.',
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
    doc: 'Settings of the service by the names of configuration.md, all strings; null removes one of the profile.',
    schema: setting,
  },
  { path: `${service}.podAnnotations`, default: {}, doc: 'Annotations of the pods.', schema: texts },
  { path: `${service}.podLabels`, default: {}, doc: 'More labels of the pods.', schema: texts },
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
      'One MongoDB server in the cluster, for a trial or a small installation. Otherwise MongoDB is yours, ' +
      'and the secret has its address.',
    schema: flag,
  },
  { path: 'mongodb.image', doc: 'Its image; a digest may be appended.', schema: text },
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
    doc: '`cluster`: three servers here. `single`: one server here. `external`: yours, at `nats.url`.',
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
  { path: 'nats.image', doc: 'Image of the servers here; a digest may be appended.', schema: text },
  {
    path: 'nats.storage',
    default: '',
    doc: 'Size of the volume of each server here; empty: 2Gi in a cluster, 1Gi for a single one.',
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
    doc: 'Secret with the keys `workflows`, `executions`, `credentials`: a connection string each.',
    schema: name,
  },
  {
    path: 'secrets.serviceKeys',
    doc: 'Secret with a private key for each service by its name, and `public`.',
    schema: name,
  },
  { path: 'secrets.masterKey', doc: 'Secret with the key `current`, and `previous` during a rotation.', schema: name },
  { path: 'secrets.owner', doc: 'Optional secret with `email` and `password` of the first owner.', schema: name },
  {
    path: 'secrets.nats',
    doc: 'Optional secret with `user` and `password`, or `token`, or the files for other ways to authenticate at NATS.',
    schema: name,
  },
  enabled('externalSecrets', 'Make these secrets from a store outside the cluster by the External Secrets Operator.'),
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
    doc: 'How often the secrets are read again.',
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
    doc: 'The same for the first owner; empty: none, the set-up page makes the owner.',
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
