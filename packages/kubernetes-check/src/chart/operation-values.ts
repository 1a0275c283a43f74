import { SERVICES } from '@weft/e2e/services';
import { digest, enabled, name, number, size, text, texts, type ChartValue } from './value-schemas';

/** Values for access from outside and between pods. */
export const ACCESS: readonly ChartValue[] = [
  enabled('gatewayApi', 'A Gateway and its HTTPRoutes for the host of `publicUrl`.'),
  {
    path: 'gatewayApi.className',
    default: '',
    doc: 'Gateway class. Required with `gatewayApi.enabled`.',
    schema: text,
  },
  enabled('ingress', 'An Ingress for the host of `publicUrl`, for clusters without the Gateway API.'),
  { path: 'ingress.className', default: '', doc: 'Ingress class. Required with `ingress.enabled`.', schema: text },
  {
    path: 'ingress.annotations',
    doc: 'Annotations of the Ingress. The defaults are for nginx: the gateway limits bodies itself.',
    schema: texts,
  },
  enabled('tls', 'Request a certificate for the host of `publicUrl` from cert-manager.'),
  { path: 'tls.secretName', doc: 'Secret with the certificate, which Gateway and Ingress present.', schema: name },
  { path: 'tls.issuer.kind', doc: 'Kind of the issuer.', schema: { enum: ['ClusterIssuer', 'Issuer'] } },
  { path: 'tls.issuer.name', doc: 'Name of the issuer.', schema: name },
  enabled(
    'networkPolicies',
    'Allow only the calls of the processes to each other, to MongoDB, NATS and DNS, and of runners to the internet.',
    true,
  ),
  enabled('grpcClients', 'Access to the gRPC ports for labelled pods of labelled namespaces.'),
  enabled('grpcClients.certificate', 'Request a client certificate for these pods, with `mutualTls`.'),
  enabled('mutualTls', 'TLS between the services, with certificates of both sides.'),
  enabled('mutualTls.certificates', 'Request those certificates from cert-manager.'),
  {
    path: 'mutualTls.certificates.issuer',
    doc: 'Issuer (in the namespace, with its own authority) of those certificates.',
    schema: name,
  },
];

const scaled = (service: string, what: string): readonly ChartValue[] => [
  { path: `autoscaling.${service}.minReplicas`, doc: `Minimum number of replicas of ${service}.`, schema: number },
  { path: `autoscaling.${service}.maxReplicas`, doc: `Maximum number of replicas of ${service}.`, schema: number },
  ...(what === ''
    ? []
    : [{ path: `autoscaling.${service}.cpu`, doc: what, schema: { type: 'string', pattern: '^[0-9]+m?$' } }]),
];

/** Values for autoscaling, monitoring, back-ups and files. */
export const OPERATION: readonly ChartValue[] = [
  enabled(
    'autoscaling',
    'Scale gateway, workflows, executions and credentials by CPU (metrics-server), runners by the queue ' +
      'and their slots (KEDA and a Prometheus).',
  ),
  {
    path: 'autoscaling.prometheus',
    doc: 'Address of the Prometheus that KEDA queries.',
    schema: { type: 'string', pattern: '^https?://\\S+$' },
  },
  ...SERVICES.filter((service) => service !== 'runner').flatMap((service) =>
    scaled(service, 'CPU of a replica above which another one is added.'),
  ),
  ...scaled('runner', ''),
  enabled('monitoring', 'PodMonitor, alerts and dashboards for the Prometheus operator and the sidecar of Grafana.'),
  {
    path: 'monitoring.runbooks',
    default: '',
    doc:
      'Address below which the folder `docs/` of this release can be read: alerts link to its runbooks. ' +
      'Required with `monitoring.enabled`.',
    schema: { type: 'string', pattern: '^(https?://\\S+[^/])?$' },
  },
  {
    path: 'monitoring.storeBytes',
    doc: 'Bytes of the databases above which WeftStoreLarge fires: 80 % of the capacity of your store.',
    schema: { type: 'string', pattern: '^[0-9]+(\\.[0-9]+)?(e[0-9]+)?$' },
  },
  {
    path: 'monitoring.labels',
    default: {},
    doc: 'Additional labels of PodMonitor and PrometheusRule, by which your Prometheus selects them.',
    schema: texts,
  },
  enabled('backUp', 'A nightly back-up of the databases to a volume.'),
  { path: 'backUp.schedule', doc: 'Time of the back-up, as a cron expression.', schema: text },
  { path: 'backUp.keep', doc: 'Number of back-ups to keep.', schema: { type: 'string', pattern: '^[1-9][0-9]*$' } },
  {
    path: 'backUp.existingClaim',
    default: '',
    doc:
      'Your own PersistentVolumeClaim for the volume, in place of `weft-back-ups`. Needed with `--wait` and in Flux ' +
      'if the storage class binds a volume at its first use, because helm would wait for the first nightly back-up.',
    schema: { type: 'string', pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' },
  },
  { path: 'backUp.storage', doc: 'Size of its volume.', schema: size },
  {
    path: 'backUp.storageClass',
    default: '',
    doc: 'Storage class of its volume; empty: the default one.',
    schema: text,
  },
  enabled(
    'operator',
    'Workflows as objects of Kubernetes: their definitions and the operator that applies them. Once in a cluster; ' +
      'helm leaves the definitions when it uninstalls the release.',
  ),
  {
    path: 'operator.clusterName',
    doc: 'Name of the cluster, which no other cluster with the same Weft has: part of the keys of its workflows.',
    schema: { type: 'string', pattern: '^[a-z0-9][a-z0-9.-]{0,59}$' },
  },
  {
    path: 'operator.digest',
    default: '',
    doc: 'Digest of the image `operator`, `sha256:…`. Releases fill it in.',
    schema: digest,
  },
  enabled('credentialFiles', 'Mount the secret `weft-credential-files`, whose keys credentials can name as files.'),
];
