import {
  checked,
  defineConfig,
  type Environment,
  flag,
  identityFields,
  integer,
  list,
  natsFields,
  processFields,
  publicUrlField,
  webhookHostField,
  target,
  timezoneField,
  url,
} from '@weft/service-kit/config';
import { tlsErrors } from '@weft/service-kit/mutual-tls';
import { readModelPrices } from './models/model-prices';

/** The rows of the configuration. */
export const table = {
  ...processFields(7004, 9104),
  ...identityFields(),
  ...natsFields(),
  executionsTarget: target('executions'),
  credentialsTarget: target('credentials'),
  workflowsTarget: target('workflows'),
  slots: integer({
    env: 'RUNNER_SLOTS',
    min: 1,
    max: 1_000,
    default: 256,
    doc:
      'Maximum number of concurrent executions. Together, their data uses at most 60 % of the heap limit; the data ' +
      'of one execution uses at most half of that.',
  }),
  outboundAllow: list({
    env: 'OUTBOUND_ALLOW',
    default: [],
    doc:
      'Hosts, host patterns (*.example.org) and CIDR blocks that nodes may reach even if the guard would ' +
      'block them.',
  }),
  outboundTraceHosts: list({
    env: 'OUTBOUND_TRACE_HOSTS',
    default: [],
    doc:
      'Hosts, host patterns (*.example.org) and CIDR blocks to which requests of nodes send a traceparent ' + 'header.',
  }),
  outboundProxy: url({
    env: 'OUTBOUND_PROXY',
    schemes: ['http'],
    default: '',
    secret: true,
    doc:
      'HTTP proxy for all requests of nodes, as http://host:port or ' +
      'http://user:password@host:port. The guard still blocks private addresses and local names.',
  }),
  outboundProxyResolves: flag({
    env: 'OUTBOUND_PROXY_RESOLVES',
    default: false,
    doc:
      'on: OUTBOUND_PROXY resolves host names, including those that the runner cannot resolve; then only the rules ' +
      'of the proxy block private addresses. off: the runner resolves and checks each name, and has the proxy ' +
      'connect to the checked address.',
  }),
  outboundNoProxy: list({
    env: 'OUTBOUND_NO_PROXY',
    default: [],
    doc:
      'Hosts, host patterns (*.example.org) and CIDR blocks of literal addresses that bypass ' +
      'OUTBOUND_PROXY. Private ones must be in OUTBOUND_ALLOW as well.',
  }),
  modelTokensPerDay: integer({
    env: 'MODEL_TOKENS_PER_DAY',
    min: 0,
    max: 1_000_000_000_000,
    default: 0,
    doc:
      'Tokens that models may use for one user or project per day (UTC), counted over all runners. Further calls ' +
      'fail before they are made. 0: no limit.',
  }),
  modelPrices: checked({
    env: 'MODEL_PRICES',
    fromFile: true,
    live: true,
    default: '',
    check: readModelPrices,
    doc:
      'Prices of models for a million tokens, as a JSON object from patterns of names to input and output, for ' +
      'example {"gpt-4o*": {"input": 2.5, "output": 10}}. Unset: no cost is known.',
  }),
  traceModelContent: flag({
    env: 'TRACE_MODEL_CONTENT',
    default: false,
    doc:
      'Whether spans contain the messages of calls of models, and the arguments and results of calls of tools: ' +
      'masked, at most 8,192 characters each.',
  }),
  defaultTimezone: timezoneField(),
  expressionEnvAllow: list({
    env: 'EXPRESSION_ENV_ALLOW',
    default: [],
    doc: 'Names of environment variables that expressions may read as $env.',
  }),
  publicUrl: publicUrlField('http://localhost:8080'),
  webhookHost: webhookHostField(),
  waitInProcessMs: integer({
    env: 'WAIT_IN_PROCESS_MS',
    internal: true,
    min: 0,
    max: 600_000,
    default: 65_000,
    doc: 'Longest wait held in the runner, in milliseconds; longer ones pause the run in the store.',
  }),
  sandboxes: integer({
    env: 'RUNNER_SANDBOXES',
    min: 1,
    max: 64,
    default: 2,
    doc:
      'Maximum number of processes that run the code of Code nodes concurrently, across all processes of a runner; ' +
      'one more is reserved for owners who have no code running. Each process serves one owner. Up to 64 idle ' +
      'processes are kept for their owners or the next owner, while their total memory is below 94 MiB times this ' +
      'number plus one.',
  }),
  sandboxMb: integer({
    env: 'RUNNER_SANDBOX_MB',
    min: 32,
    max: 1_024,
    default: 128,
    doc: 'Memory limit for the code of one node, in MiB. A sandbox process uses 50 MiB more.',
  }),
  codeTimeoutMs: integer({
    env: 'RUNNER_CODE_TIMEOUT_MS',
    min: 100,
    max: 300_000,
    default: 10_000,
    doc:
      'Time limit for the code of one node, in milliseconds. On a busy machine, code that has got less than half of ' +
      'this time as CPU time may take up to three times as long.',
  }),
};

/** A price file that does not exist, which would mean that no prices are known. */
const missingFile = ({ MODEL_PRICES_FILE: path = '' }: Environment, prices: string): readonly string[] =>
  path === '' || prices !== '' ? [] : [`MODEL_PRICES_FILE: there is nothing in ${JSON.stringify(path)}.`];

/** Configuration of a runner. */
export const config = defineConfig(table, (values, former, environment) => [
  ...tlsErrors(values, former, environment),
  ...missingFile(environment, values.modelPrices),
]);

/** Values of the configuration. */
export type Config = ReturnType<typeof config.load>;
