import type { Environment } from '../places';
import type { Secrets } from './secrets';
import { SERVICES } from './services';
import type { ServiceName } from './services';

/** Settings shared by all processes of a stack. */
export interface StackFacts {
  readonly secrets: Secrets;
  readonly mongodbUri: string;
  readonly natsUrl: string;
  /** First part of the names of databases and streams; a different one separates stacks on the same servers. */
  readonly namespace: string;
  /** gRPC target of each service, all its replicas. */
  readonly targets: Readonly<Record<ServiceName, string>>;
  /** The user's own environment. */
  readonly environment: Environment;
}

/**
 * Settings of the services that a user may give to the stack; everything else of the user's environment stays outside.
 */
export const PASSED_ON: readonly string[] = [
  'LOG_LEVEL',
  'BUILD_COMMIT',
  'OTEL_BSP_SCHEDULE_DELAY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'TRACES_PERCENT',
  'DRAIN_MS',
  'GRPC_REFLECTION',
  'MIGRATE_AT_START',
  // gateway
  'PUBLIC_URL',
  'WEBHOOK_HOST',
  'CONSOLE',
  'WEBHOOK_RESPONSE_HEADERS',
  'TRUST_PROXY',
  'REQUEST_TIME_LIMIT_MS',
  'BODY_MEMORY_MB',
  'SHUTDOWN_DELAY_MS',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_SCOPES',
  'OIDC_GROUPS_CLAIM',
  'OIDC_GROUP_ROLES',
  'OIDC_NEW_USERS',
  // workflows
  'DEFAULT_TIMEZONE',
  'SCHEDULE_POLL_MS',
  'CHAT_MEMORY_DAYS',
  // executions
  'LEASE_MS',
  'SWEEP_MS',
  'ADVERTISE',
  'HOLD_AWAITED_MS',
  'QUEUE_LIMIT',
  'QUEUE_MB',
  'RETENTION_DAYS',
  'RETENTION_COUNT',
  'EXECUTION_TIMEOUT_HOURS',
  'WAIT_TIMEOUT_DAYS',
  'NATS_STREAM_REPLICAS',
  // executions and runner, for a NATS_URL of the user's own
  'NATS_USER',
  'NATS_PASSWORD',
  'NATS_TOKEN',
  'NATS_CREDS_FILE',
  'NATS_NKEY_FILE',
  'NATS_CA_FILE',
  'NATS_CERT_FILE',
  'NATS_KEY_FILE',
  // credentials
  'RATE_LIMIT_PER_MINUTE',
  'BASIC_AUTH',
  'AUDIT_DAYS',
  'EXTRA_CREDENTIAL_TYPES',
  'CREDENTIAL_FILES_DIR',
  'MASTER_KEY_PREVIOUS',
  // runner
  'RUNNER_SLOTS',
  'MODEL_TOKENS_PER_DAY',
  'MODEL_PRICES',
  'MODEL_PRICES_FILE',
  'TRACE_MODEL_CONTENT',
  'WAIT_IN_PROCESS_MS',
  'OUTBOUND_ALLOW',
  'OUTBOUND_TRACE_HOSTS',
  'OUTBOUND_PROXY',
  'OUTBOUND_PROXY_RESOLVES',
  'OUTBOUND_NO_PROXY',
  'EXPRESSION_ENV_ALLOW',
  'RUNNER_SANDBOXES',
  'RUNNER_SANDBOX_MB',
  'RUNNER_CODE_TIMEOUT_MS',
];

const KEPT_FROM_SYSTEM = /^(PATH|HOME|TZ|LANG|NODE_.*)$/;

/** The complete environment of one process: from the system, from the user, and from the stack. */
export function serviceEnvironment(service: ServiceName, port: number, facts: StackFacts): Record<string, string> {
  return {
    ...pick(facts.environment, (name) => KEPT_FROM_SYSTEM.test(name) || PASSED_ON.includes(name)),
    HOST: '127.0.0.1',
    PORT: String(port),
    // Stacks share a machine: the process logs the port that it has got.
    METRICS_PORT: '0',
    // They use plain text over loopback. A test of TLS provides files.
    GRPC_TLS_CERT: '',
    GRPC_TLS_KEY: '',
    GRPC_TLS_CA: '',
    SERVICE_KEY: facts.secrets.serviceKeys[service].privateKey,
    SERVICE_PUBLIC_KEYS: SERVICES.map((name) => `${name}=${facts.secrets.serviceKeys[name].publicKey}`).join(','),
    ...ownSettings(service, facts),
  };
}

/** Name of the stream of a stack that is not the only one on its servers. */
export function streamOf(namespace: string): string {
  return `${namespace}_executions`;
}

function ownSettings(service: ServiceName, facts: StackFacts): Record<string, string> {
  const target = (peer: ServiceName): Record<string, string> => ({
    [`${peer.toUpperCase()}_TARGET`]: facts.targets[peer],
  });
  const database = { MONGODB_URI: facts.mongodbUri, MONGODB_DATABASE: `${facts.namespace}_${service}` };
  const queue = {
    NATS_URL: facts.natsUrl,
    ...(facts.namespace === 'weft' ? {} : { NATS_STREAM: streamOf(facts.namespace) }),
  };
  switch (service) {
    case 'credentials':
      return {
        ...database,
        ...target('executions'),
        ...target('workflows'),
        ...target('runner'),
        ...ownerSettings(facts.secrets),
      };
    case 'workflows':
      return { ...database, PUBLIC_URL: publicUrl(facts), ...target('executions'), ...target('credentials') };
    case 'executions':
      return {
        ...database,
        PUBLIC_URL: publicUrl(facts),
        ...queue,
        ...target('workflows'),
        ...target('credentials'),
        ...target('runner'),
      };
    case 'runner':
      return {
        ...namedForExpressions(facts.environment),
        PUBLIC_URL: publicUrl(facts),
        ...queue,
        ...target('workflows'),
        ...target('executions'),
        ...target('credentials'),
      };
    case 'gateway':
      // there is no load balancer in front of it that would need notice of its end
      return {
        SHUTDOWN_DELAY_MS: facts.environment['SHUTDOWN_DELAY_MS'] ?? '0',
        ...target('workflows'),
        ...target('executions'),
        ...target('credentials'),
      };
  }
}

/** Address at which clients reach the gateway: from the user, or else its first replica. */
function publicUrl({ environment, targets }: StackFacts): string {
  const stated = environment['PUBLIC_URL'] ?? '';
  return stated === '' ? `http://${targets.gateway.replace(/^ipv4:/, '').split(',')[0] ?? ''}` : stated;
}

/** The variables that the user lets expressions read. */
function namedForExpressions(environment: Environment): Record<string, string> {
  const names = (environment['EXPRESSION_ENV_ALLOW'] ?? '').split(',').map((name) => name.trim());
  return pick(environment, (name) => names.includes(name));
}

function ownerSettings(secrets: Secrets): Record<string, string> {
  return {
    MASTER_KEY: secrets.masterKey,
    WEFT_OWNER_EMAIL: secrets.ownerEmail,
    WEFT_OWNER_PASSWORD: secrets.ownerPassword,
    WEFT_OWNER_API_KEY: secrets.ownerApiKey,
  };
}

function pick(environment: Environment, isWanted: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value !== undefined && isWanted(name) ? [[name, value]] : [],
    ),
  );
}
