import { DEFAULT_EXECUTION_STREAM } from '@weft/proto/execution-queue';
import { checkPrivateKey, checkPublicKeys } from '../auth/service-token';
import { checked, flag, integer, oneOf, port, text, timeZone, url } from './fields';

/** Log levels, from the most verbose. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export const logLevelField = () =>
  oneOf({ env: 'LOG_LEVEL', words: LOG_LEVELS, default: 'info', doc: 'Minimum log level.' });

/** Rows with the certificates for mutual TLS between processes. */
const tlsFields = () => ({
  grpcTlsCert: text({
    env: 'GRPC_TLS_CERT',
    default: '',
    fromFile: true,
    live: true,
    doc:
      'Certificate (PEM) of this process for gRPC, with the intermediate certificates. With GRPC_TLS_CERT, ' +
      'GRPC_TLS_KEY and GRPC_TLS_CA, every gRPC connection uses mutual TLS. Empty: plain text.',
  }),
  grpcTlsKey: text({
    env: 'GRPC_TLS_KEY',
    default: '',
    secret: true,
    live: true,
    doc: 'Key (PEM) of GRPC_TLS_CERT.',
  }),
  grpcTlsCa: text({
    env: 'GRPC_TLS_CA',
    default: '',
    fromFile: true,
    live: true,
    doc: 'Certificates (PEM) of the authorities that sign the certificates of the peers.',
  }),
});

/** Rows common to every service. */
export const processFields = (defaultPort: number, defaultMetricsPort: number) => ({
  host: text({ env: 'HOST', default: '127.0.0.1', doc: 'Address to listen on; 0.0.0.0 in a container.' }),
  port: port({ env: 'PORT', default: defaultPort, doc: 'Port to listen on; 0 lets the system choose.' }),
  metricsPort: port({
    env: 'METRICS_PORT',
    default: defaultMetricsPort,
    doc:
      'Port on which the metrics are served as text on /metrics, and the state of the process on /livez and ' +
      '/readyz; 0 lets the system choose.',
  }),
  buildCommit: text({
    env: 'BUILD_COMMIT',
    internal: true,
    default: 'unknown',
    doc: 'Commit that the process was built from, set by the images and shown by the metric weft_build_info.',
  }),
  tracesEndpoint: url({
    env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    schemes: ['http', 'https'],
    default: '',
    doc: 'Address of an OpenTelemetry receiver of traces (OTLP over HTTP), without /v1/traces. Empty: no traces.',
  }),
  tracesHeaders: text({
    env: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: '',
    secret: true,
    doc: 'Headers of each request to the receiver of traces: name=value, separated by commas.',
  }),
  tracesPercent: integer({
    env: 'TRACES_PERCENT',
    min: 0,
    max: 100,
    default: 10,
    doc:
      'Percentage of the traces started by this process that is recorded; for a trace of the caller, the caller ' +
      'decides.',
  }),
  tracesDelayMs: integer({
    env: 'OTEL_BSP_SCHEDULE_DELAY',
    min: 100,
    max: 60_000,
    default: 5_000,
    doc: 'Maximum time before spans are sent, in milliseconds.',
  }),
  logLevel: logLevelField(),
  drainMs: integer({
    env: 'DRAIN_MS',
    min: 0,
    max: 600_000,
    default: 20_000,
    doc:
      'Time for work in progress to finish after SIGTERM, in milliseconds. The gateway still accepts requests in the ' +
      'first quarter of this time, for 5 s at most.',
  }),
  reflection: flag({ env: 'GRPC_REFLECTION', default: true, doc: 'Switch for gRPC server reflection.' }),
  ...tlsFields(),
});

/** Rows of every service with an audit log. */
export const auditFields = () => ({
  auditDays: integer({
    env: 'AUDIT_DAYS',
    min: 1,
    max: 3_650,
    default: 90,
    doc: 'Retention of audit records, in days.',
  }),
});

/** Rows with the keys by which services authenticate each other. */
export const identityFields = () => ({
  serviceKey: checked({
    env: 'SERVICE_KEY',
    secret: true,
    live: true,
    check: checkPrivateKey,
    doc: 'Ed25519 private key of this service, PKCS#8 DER in base64. It signs the tokens of its calls.',
  }),
  servicePublicKeys: checked({
    env: 'SERVICE_PUBLIC_KEYS',
    fromFile: true,
    live: true,
    check: checkPublicKeys,
    doc:
      'Public keys of all services: name=SPKI DER in base64, separated by commas. While its key is being replaced, a ' +
      'service has two public keys.',
  }),
});

/** Rows of a service with a store. */
export const mongoFields = (defaultDatabase: string) => ({
  mongodbUri: url({
    env: 'MONGODB_URI',
    schemes: ['mongodb', 'mongodb+srv'],
    secret: true,
    doc: 'MongoDB server of this service.',
  }),
  mongodbDatabase: text({ env: 'MONGODB_DATABASE', default: defaultDatabase, doc: 'Database of this service only.' }),
  migrateAtStart: flag({
    env: 'MIGRATE_AT_START',
    default: true,
    doc: 'Switch for creating missing indexes at startup; off: the service waits until they exist.',
  }),
});

/** The row of the gateway's address. */
export const publicUrlField = (defaultUrl: string) =>
  url({
    env: 'PUBLIC_URL',
    shared: true,
    schemes: ['http', 'https'],
    default: defaultUrl,
    doc:
      'Public URL of the gateway, for webhookUrl and secure cookies, the resume URLs of waiting runs, and the URL of ' +
      'a failed execution that its error workflow receives. Empty: the gateway takes it from each request.',
  });

/** The row of the address of webhooks and forms. */
export const webhookHostField = () =>
  url({
    env: 'WEBHOOK_HOST',
    shared: true,
    schemes: ['http', 'https'],
    default: '',
    doc:
      'Base URL of webhooks, forms and waiting runs on a host that serves nothing else, for example ' +
      'https://hooks.example.com; recommended in production. Empty: they share the host of the console, and ' +
      'responses of workflows are restricted.',
  });

/** The row of the instance's time zone. */
export const timezoneField = () =>
  timeZone({
    env: 'DEFAULT_TIMEZONE',
    shared: true,
    default: 'UTC',
    doc: 'Time zone of schedules and runs if the workflow does not set one.',
  });

/** The row of the deprecated Basic authentication. */
export const basicAuthField = () =>
  flag({
    env: 'BASIC_AUTH',
    shared: true,
    default: false,
    doc:
      'Switch for email and password (HTTP Basic) in place of an API key; webhooks then omit Authorization: Basic ' +
      'from run data. Deprecated: leave it off in production.',
  });

/** A row with the gRPC target of a peer in the syntax of grpc-js: `dns:///host:port` or `ipv4:a:1,b:2`. */
export const target = (peer: string) =>
  text({
    env: `${peer.toUpperCase()}_TARGET`,
    doc: `gRPC target of the ${peer} service, for example dns:///${peer}:7000.`,
  });

/** gRPC target of the runners, for services that need their guarded access to networks. */
export const runnerTargetField = () =>
  text({
    env: 'RUNNER_TARGET',
    default: '',
    doc:
      'gRPC target of the runners, which test credentials and send notifications: dns:///runner:7004. Unset: neither ' +
      'is available.',
  });

/** Rows of a service that uses NATS. */
export const natsFields = () => ({
  natsStream: text({
    env: 'NATS_STREAM',
    shared: true,
    default: DEFAULT_EXECUTION_STREAM,
    doc: 'JetStream stream of this instance.',
  }),
  natsUrl: url({
    env: 'NATS_URL',
    schemes: ['nats', 'tls'],
    doc: 'NATS servers, separated by commas. With tls://, the servers must offer TLS. Their messages are only hints.',
  }),
  natsUser: text({
    env: 'NATS_USER',
    default: '',
    fromFile: true,
    live: true,
    doc: 'User name at NATS, with NATS_PASSWORD.',
  }),
  natsPassword: text({ env: 'NATS_PASSWORD', default: '', secret: true, live: true, doc: 'Password of NATS_USER.' }),
  natsToken: text({
    env: 'NATS_TOKEN',
    default: '',
    secret: true,
    live: true,
    doc: 'Token at NATS, instead of a user.',
  }),
  natsCredsFile: text({
    env: 'NATS_CREDS_FILE',
    default: '',
    doc: 'Path of a credentials file of NATS (JWT and seed), instead of a user. It is read for each connection.',
  }),
  natsNkeyFile: text({
    env: 'NATS_NKEY_FILE',
    default: '',
    doc: 'Path of a file with the seed of an nkey of NATS, instead of a user. It is read for each connection.',
  }),
  natsCaFile: text({
    env: 'NATS_CA_FILE',
    default: '',
    doc: 'Path of the certificates (PEM) of the authority of NATS, if Node does not trust it by default.',
  }),
  natsCertFile: text({
    env: 'NATS_CERT_FILE',
    default: '',
    doc: 'Path of the certificate (PEM) with which this process authenticates at NATS, with NATS_KEY_FILE.',
  }),
  natsKeyFile: text({ env: 'NATS_KEY_FILE', default: '', doc: 'Path of the key (PEM) of NATS_CERT_FILE.' }),
});
