import { defineConfig, integer, list, processFields, text, url, type ConfigValues } from '@weft/service-kit/config';

const {
  port: _port,
  reflection: _reflection,
  grpcTlsCert: _cert,
  grpcTlsKey: _key,
  grpcTlsCa: _ca,
  ...processRows
} = processFields(0, 9105);

/** Below the 250 characters of a key, with the longest names of a namespace and an object. */
const CLUSTER = /^[a-z0-9][a-z0-9.-]{0,59}$/;

export const table = {
  ...processRows,
  weftUrl: url({
    env: 'WEFT_URL',
    schemes: ['http', 'https'],
    doc: 'Address of the gateway, without /api/v1, for example http://weft-gateway.',
  }),
  webhookUrl: url({
    env: 'WEBHOOK_URL',
    schemes: ['http', 'https'],
    default: '',
    doc: 'Address of webhooks in the status of objects: WEBHOOK_HOST or PUBLIC_URL of the gateway. Empty: WEFT_URL.',
  }),
  clusterName: text({
    env: 'CLUSTER_NAME',
    doc:
      'Name of the cluster, part of the keys of its workflows: 1 to 60 lower-case letters, digits, points and ' +
      'hyphens. Two clusters with one instance of Weft need different names; after a change, objects create new ' +
      'workflows.',
  }),
  watchNamespaces: list({
    env: 'WATCH_NAMESPACES',
    default: [],
    doc: 'Namespaces whose objects are reconciled. Empty: all.',
  }),
  resyncMs: integer({
    env: 'RESYNC_MS',
    min: 1_000,
    max: 3_600_000,
    default: 300_000,
    doc: 'Milliseconds between two polls of Weft, which find changes that were made there.',
  }),
  apiServerHost: text({
    env: 'KUBERNETES_SERVICE_HOST',
    doc: 'Host of the API server. Kubernetes sets it in every pod.',
  }),
  apiServerPort: integer({
    env: 'KUBERNETES_SERVICE_PORT',
    min: 1,
    max: 65_535,
    default: 443,
    doc: 'Port of the API server. Kubernetes sets it in every pod.',
  }),
  serviceAccountFolder: text({
    env: 'SERVICE_ACCOUNT_DIR',
    internal: true,
    default: '/var/run/secrets/kubernetes.io/serviceaccount',
    doc: 'Folder with the token of the service account and the certificate of the API server.',
  }),
  keyPollMs: integer({
    env: 'KEY_POLL_MS',
    internal: true,
    min: 500,
    max: 600_000,
    default: 60_000,
    doc: 'Milliseconds between two reads of the Secrets with keys and credentials.',
  }),
};

export type OperatorConfig = ConfigValues<typeof table>;

const CLUSTER_ERROR =
  'CLUSTER_NAME must have 1 to 60 lower-case letters, digits, points and hyphens, and begin with a letter or a digit';

export const config = defineConfig(table, ({ clusterName }) => (CLUSTER.test(clusterName) ? [] : [CLUSTER_ERROR]));
