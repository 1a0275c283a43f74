import {
  defineConfig,
  flag,
  identityFields,
  integer,
  list,
  natsFields,
  oneOf,
  processFields,
  publicUrlField,
  target,
  timezoneField,
  url,
} from '@weft/service-kit/config';
import { tlsErrors } from '@weft/service-kit/mutual-tls';
import type { SealChoice } from '@weft/sandbox';

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
    doc: 'Number of executions that run concurrently. RUNNER_MEMORY_MB limits their memory in total.',
  }),
  runMemoryMb: integer({
    env: 'RUNNER_RUN_MEMORY_MB',
    min: 0,
    max: 65_536,
    default: 0,
    doc:
      'Memory limit of one run in MiB, estimated from its data; a run above it ends with an error. ' +
      '0: half of the heap limit.',
  }),
  memoryMb: integer({
    env: 'RUNNER_MEMORY_MB',
    min: 0,
    max: 65_536,
    default: 0,
    doc:
      'Memory limit of all runs in MiB, estimated from their data; above it a runner claims nothing and ' +
      'releases its largest run. 0: six tenths of the heap limit.',
  }),
  isolated: integer({
    env: 'RUNNER_ISOLATED',
    min: 0,
    max: 8,
    default: 0,
    doc:
      'Maximum number of processes that execute runs alone which crashed a runner. They are started on demand. ' +
      '0: three, fewer if the memory limit of the container has no room for them.',
  }),
  isolatedMb: integer({
    env: 'RUNNER_ISOLATED_MB',
    min: 0,
    max: 65_536,
    default: 0,
    doc:
      'Heap limit in MiB of each of the processes that execute runs that crashed a runner, and of the one for ' +
      'versions in quarantine. 0: 256, less if the memory limit of the container has no room for that.',
  }),
  heavyDataMb: integer({
    env: 'RUNNER_HEAVY_DATA_MB',
    min: 0,
    max: 1_024,
    default: 8,
    doc:
      'Size in MiB of a response or of the items of a node from which on its owner counts as one with large data: ' +
      'for ten minutes the runs of such owners are executed in a process of their own, which is started on demand ' +
      'and has a low priority. 0: never.',
  }),
  heavyMb: integer({
    env: 'RUNNER_HEAVY_MB',
    min: 0,
    max: 65_536,
    default: 0,
    doc:
      'Heap limit in MiB of the process for runs with large data. 0: that of the runner, less if the memory limit of ' +
      'the container has no room for that.',
  }),
  outboundAllow: list({
    env: 'OUTBOUND_ALLOW',
    default: [],
    doc:
      'Hosts, host patterns (*.example.org) and CIDR blocks that nodes may reach although the guard would ' +
      'block them.',
  }),
  outboundTraceHosts: list({
    env: 'OUTBOUND_TRACE_HOSTS',
    default: [],
    doc:
      'Hosts, host patterns (*.example.org) and CIDR blocks that requests of nodes tell their trace in a traceparent ' +
      'header.',
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
      'on: OUTBOUND_PROXY resolves host names, also those that the runner cannot resolve; only the rules of the ' +
      'proxy keep it from private addresses then. off: the runner resolves and checks each name, and has the proxy ' +
      'connect to the address that it checked.',
  }),
  outboundNoProxy: list({
    env: 'OUTBOUND_NO_PROXY',
    default: [],
    doc:
      'Hosts, host patterns (*.example.org) and CIDR blocks of literal addresses that bypass ' +
      'OUTBOUND_PROXY. Private ones must be in OUTBOUND_ALLOW as well.',
  }),
  defaultTimezone: timezoneField(),
  expressionEnvAllow: list({
    env: 'EXPRESSION_ENV_ALLOW',
    default: [],
    doc: 'Names of environment variables that expressions may read as $env.',
  }),
  publicUrl: publicUrlField('http://localhost:8080'),
  waitInProcessMs: integer({
    env: 'WAIT_IN_PROCESS_MS',
    min: 0,
    max: 600_000,
    default: 65_000,
    doc: 'Longest wait held in the runner, in milliseconds; longer ones pause the run in the store.',
  }),
  inProcessWaits: integer({
    env: 'RUNNER_MAX_IN_PROCESS_WAITS',
    min: 0,
    max: 10_000,
    default: 256,
    doc: 'Maximum number of waits held in the runner besides running executions; more pause in the store.',
  }),
  releaseAfterMs: integer({
    env: 'RELEASE_AFTER_MS',
    min: 100,
    max: 600_000,
    default: 20_000,
    doc:
      'Time in milliseconds for which a run retries calls to an unavailable service before it returns to the ' +
      'queue; it is claimed again 5 to 10 s later.',
  }),
  seal: oneOf<SealChoice>({
    env: 'RUNNER_SANDBOX',
    words: ['required', 'auto', 'off'],
    default: 'auto',
    doc:
      'Whether the code of Code nodes runs in V8, in processes that seal themselves by seccomp (Linux on x64 or ' +
      'arm64). required: only so, else the runner does not start; auto: in QuickJS where a process cannot be ' +
      'sealed, which the log says; off: in QuickJS. Foreign data are parsed in sealed processes likewise, else in ' +
      'processes with the same limits of time and memory and without a seal. A layer of confinement that is ' +
      'missing is logged.',
  }),
  sandboxes: integer({
    env: 'RUNNER_SANDBOXES',
    min: 1,
    max: 64,
    default: 2,
    doc:
      'Maximum number of processes that run the code of Code nodes at the same time, in all processes of a runner ' +
      'together; one more is for owners who have no code running. Sealed ones: each serves one owner; up to 64 idle ' +
      'ones are held for theirs or ready for the next owner, while they have less memory together than 94 MiB for ' +
      'each of this number and one more.',
  }),
  sandboxMb: integer({
    env: 'RUNNER_SANDBOX_MB',
    min: 32,
    max: 1_024,
    default: 128,
    doc: 'Memory limit for the code of one node, in MiB. A sandbox process takes 50 MiB more, in QuickJS 90 MiB.',
  }),
  formatsMb: integer({
    env: 'RUNNER_FORMATS_MB',
    min: 0,
    max: 4_096,
    default: 0,
    doc:
      'Memory limit for one task on foreign data (PDF, spreadsheets, CSV, archives, HTML, Markdown, XML, feeds, ' +
      'images), in MiB. One process works on them at a time, and one more for an owner who has none at work, in all ' +
      'processes of a runner together; they take 130 MiB more each. Each serves one owner, and two more are held for ' +
      'theirs or ready for the next one. 0: 512, less if the memory limit of the container has no room for that.',
  }),
  codeTimeoutMs: integer({
    env: 'RUNNER_CODE_TIMEOUT_MS',
    min: 100,
    max: 300_000,
    default: 10_000,
    doc:
      'Time limit for the code of one node, in milliseconds. Code that a busy machine gave less than half of that as ' +
      'CPU has up to three times as long.',
  }),
};

/** Configuration of a runner. */
export const config = defineConfig(table, tlsErrors);

/** Values of the configuration. */
export type Config = ReturnType<typeof config.load>;
