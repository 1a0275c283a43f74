import {
  basicAuthField,
  defineConfig,
  identityFields,
  integer,
  processFields,
  publicUrlField,
  webhookHostField,
  list,
  oneOf,
  target,
  type ConfigValues,
} from '@weft/service-kit/config';
import { tlsErrors } from '@weft/service-kit/mutual-tls';
import { hostOf } from './middleware/client-origin';
import { oidcErrors, oidcFields } from './sign-in/oidc-fields';

const { reflection: _reflection, ...processRows } = processFields(8080, 9100);
const { serviceKey } = identityFields();

export const table = {
  ...processRows,
  shutdownDelayMs: integer({
    env: 'SHUTDOWN_DELAY_MS',
    internal: true,
    min: 0,
    max: 15_000,
    default: 5_000,
    doc:
      'Part of DRAIN_MS, at most a quarter of it, in which requests and connections are still accepted while /readyz ' +
      'already returns 503, so that a load balancer stops sending them. A stack without a load balancer has none.',
  }),
  serviceKey,
  workflowsTarget: target('workflows'),
  executionsTarget: target('executions'),
  credentialsTarget: target('credentials'),
  publicUrl: publicUrlField(''),
  webhookHost: webhookHostField(),
  webhookResponseHeaders: list({
    env: 'WEBHOOK_RESPONSE_HEADERS',
    default: [],
    doc:
      'Names of additional headers that workflows may set in responses of webhooks, without WEBHOOK_HOST. See ' +
      'docs/security.md.',
  }),
  trustProxy: integer({
    env: 'TRUST_PROXY',
    min: 0,
    max: 10,
    default: 0,
    doc: 'Number of trusted proxies in front, for X-Forwarded-For and X-Forwarded-Proto.',
  }),
  basicAuth: basicAuthField(),
  console: oneOf({
    env: 'CONSOLE',
    words: ['on', 'off'],
    default: 'on',
    doc: 'Whether the gateway serves the web console at `/console/`.',
  }),
  requestTimeLimitMs: integer({
    env: 'REQUEST_TIME_LIMIT_MS',
    internal: true,
    min: 100,
    max: 30_000,
    default: 30_000,
    doc: 'Request timeout in milliseconds; the response is 503 then.',
  }),
  bodyMemoryMb: integer({
    env: 'BODY_MEMORY_MB',
    min: 0,
    max: 4_096,
    default: 0,
    doc:
      'Maximum size of the bodies of all requests in progress, in megabytes; more is refused with 503. Bodies use ' +
      'eight times their size in memory. 0: the size that fits into the memory limit of the container, 10 to 128; ' +
      'without a limit, 128.',
  }),
  ...oidcFields(),
};

/** Webhooks on the host of the console would have its cookies and its origin. */
const webhookHostErrors = ({
  webhookHost,
  publicUrl,
}: Pick<ConfigValues<typeof table>, 'webhookHost' | 'publicUrl'>): string[] => {
  if (webhookHost === '') return [];
  if (hostOf(webhookHost) === undefined) return ['WEBHOOK_HOST is not a URL'];
  return hostOf(webhookHost) === hostOf(publicUrl)
    ? ['WEBHOOK_HOST names the host of PUBLIC_URL: give webhooks a host that serves nothing else, or leave it empty']
    : [];
};

/**
 * The configuration of the gateway. It has no store, serves no gRPC and verifies no service tokens, so it has no rows
 * for those.
 */
export const config = defineConfig(table, (values, former, environment) => [
  ...oidcErrors(values),
  ...webhookHostErrors(values),
  ...tlsErrors(values, former, environment),
]);

export type GatewayConfig = ConfigValues<typeof table>;
