import {
  defineConfig,
  identityFields,
  integer,
  processFields,
  target,
  url,
  type ConfigValues,
} from '@weft/service-kit/config';

const { host, port, logLevel, drainMs } = processFields(8080);
const { serviceKey } = identityFields();

/**
 * The configuration of the gateway. It has no store, serves no gRPC and checks no service's token: rows for those are
 * not here.
 */
export const config = defineConfig({
  host,
  port,
  logLevel,
  drainMs,
  shutdownDelayMs: integer({
    env: 'SHUTDOWN_DELAY_MS',
    min: 0,
    max: 15_000,
    default: 5_000,
    doc:
      'How long requests and connections are still taken after SIGTERM, in milliseconds, while /readyz answers ' +
      '503 already: the time in which a load balancer learns to send them elsewhere.',
  }),
  serviceKey,
  workflowsTarget: target('workflows'),
  executionsTarget: target('executions'),
  credentialsTarget: target('credentials'),
  publicUrl: url({
    env: 'PUBLIC_URL',
    schemes: ['http', 'https'],
    default: '',
    doc:
      'Address under which clients reach the gateway, for webhookUrl and for secure cookies; unset: taken from ' +
      'each request.',
  }),
  trustProxy: integer({
    env: 'TRUST_PROXY',
    min: 0,
    max: 10,
    default: 0,
    doc: 'Number of proxies in front whose X-Forwarded-For and X-Forwarded-Proto are believed.',
  }),
  requestTimeLimitMs: integer({
    env: 'REQUEST_TIME_LIMIT_MS',
    min: 100,
    max: 30_000,
    default: 30_000,
    doc: 'Request timeout, in milliseconds; then the answer is 503.',
  }),
  bodyMemoryMb: integer({
    env: 'BODY_MEMORY_MB',
    min: 10,
    max: 4_096,
    default: 128,
    doc: 'Most memory for the bodies of all requests under way, in megabytes; more is refused with 503.',
  }),
  maxConnections: integer({
    env: 'MAX_CONNECTIONS',
    min: 1,
    max: 100_000,
    default: 10_000,
    doc: 'Most HTTP connections at once; more are closed unanswered.',
  }),
});

/** The values of that table. */
export type GatewayConfig = ConfigValues<typeof config.table>;
