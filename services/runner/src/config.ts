import {
  defineConfig,
  identityFields,
  integer,
  list,
  processFields,
  target,
  text,
  timeZone,
  url,
} from '@weft/service-kit/config';
import { DEFAULT_EXECUTION_STREAM } from '@weft/proto/execution-queue';

/** Configuration of a runner. */
export const config = defineConfig({
  ...processFields(7004),
  ...identityFields(),
  natsUrl: url({ env: 'NATS_URL', schemes: ['nats', 'tls'], doc: 'NATS servers, separated by commas.' }),
  natsStream: text({
    env: 'NATS_STREAM',
    default: DEFAULT_EXECUTION_STREAM,
    doc: 'JetStream stream of this instance; the same as in executions.',
  }),
  executionsTarget: target('executions'),
  credentialsTarget: target('credentials'),
  workflowsTarget: target('workflows'),
  slots: integer({
    env: 'RUNNER_SLOTS',
    min: 1,
    max: 1_000,
    default: 256,
    doc: 'How many executions run at once. RUNNER_MEMORY_MB bounds what they take together.',
  }),
  runMemoryMb: integer({
    env: 'RUNNER_RUN_MEMORY_MB',
    min: 0,
    max: 65_536,
    default: 0,
    doc:
      'MiB of memory that one run may hold, estimated from its data; a run that holds more ends as an error. ' +
      '0: half of the heap limit.',
  }),
  memoryMb: integer({
    env: 'RUNNER_MEMORY_MB',
    min: 0,
    max: 65_536,
    default: 0,
    doc:
      'MiB of memory, estimated from the data of all runs, above which a runner takes nothing more and ' +
      'releases its largest run. 0: six tenths of the heap limit.',
  }),
  isolatedMb: integer({
    env: 'RUNNER_ISOLATED_MB',
    min: 64,
    max: 65_536,
    default: 256,
    doc:
      'MiB of heap of the process that executes runs over which a runner died, one beside no other. It is ' +
      'started when it is needed.',
  }),
  outboundAllow: list({
    env: 'OUTBOUND_ALLOW',
    default: [],
    doc:
      'Hosts, host patterns (*.example.org) and CIDR blocks that nodes may reach although the guard would ' +
      'refuse them.',
  }),
  outboundProxy: url({
    env: 'OUTBOUND_PROXY',
    schemes: ['http'],
    default: '',
    secret: true,
    doc:
      'HTTP proxy through which everything that nodes send leaves, as http://host:port or ' +
      'http://user:password@host:port. The guard still refuses private addresses and local names.',
  }),
  outboundNoProxy: list({
    env: 'OUTBOUND_NO_PROXY',
    default: [],
    doc:
      'Hosts, host patterns (*.example.org) and CIDR blocks of literal addresses that are reached past ' +
      'OUTBOUND_PROXY. Private ones have to stand in OUTBOUND_ALLOW as well.',
  }),
  defaultTimezone: timeZone({
    env: 'DEFAULT_TIMEZONE',
    default: 'UTC',
    doc: 'Time zone of runs whose workflow states none; the same as in workflows.',
  }),
  expressionEnvAllow: list({
    env: 'EXPRESSION_ENV_ALLOW',
    default: [],
    doc: 'Names of environment variables that expressions may read as $env.',
  }),
  publicUrl: url({
    env: 'PUBLIC_URL',
    schemes: ['http', 'https'],
    default: 'http://localhost:8080',
    doc:
      'Address under which clients reach the gateway, for the addresses that wake waiting runs; the same as in ' +
      'gateway.',
  }),
  waitInProcessMs: integer({
    env: 'WAIT_IN_PROCESS_MS',
    min: 0,
    max: 600_000,
    default: 65_000,
    doc:
      'Waits shorter than this are slept through in the runner, in milliseconds; longer ones pause the run in ' +
      'the store.',
  }),
  inProcessWaits: integer({
    env: 'RUNNER_MAX_IN_PROCESS_WAITS',
    min: 0,
    max: 10_000,
    default: 256,
    doc: 'Runs that may sleep in the runner at once, beside those in slots; more pause in the store.',
  }),
  releaseAfterMs: integer({
    env: 'RELEASE_AFTER_MS',
    min: 100,
    max: 600_000,
    default: 20_000,
    doc:
      'Milliseconds for which a run repeats calls of a service that cannot be reached before it goes back into ' +
      'the queue; it is claimed again 5 to 10 s later.',
  }),
  sandboxes: integer({
    env: 'RUNNER_SANDBOXES',
    min: 1,
    max: 64,
    default: 2,
    doc: 'Processes that run the code of Code nodes, at most. None is started before it is needed.',
  }),
  sandboxMb: integer({
    env: 'RUNNER_SANDBOX_MB',
    min: 32,
    max: 1_024,
    default: 128,
    doc: 'MiB of memory that the code of one node may use. A sandbox process takes about 90 MiB more.',
  }),
  codeTimeoutMs: integer({
    env: 'RUNNER_CODE_TIMEOUT_MS',
    min: 100,
    max: 300_000,
    default: 10_000,
    doc: 'Milliseconds that the code of one node may take.',
  }),
});

/** Values of the configuration. */
export type Config = ReturnType<typeof config.load>;
