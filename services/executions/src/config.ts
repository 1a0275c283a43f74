import {
  auditFields,
  defineConfig,
  identityFields,
  integer,
  mongoFields,
  natsFields,
  processFields,
  publicUrlField,
  runnerTargetField,
  webhookHostField,
  target,
  text,
  type ConfigValues,
} from '@weft/service-kit/config';
import { tlsErrors } from '@weft/service-kit/mutual-tls';

/** Name of the database, unless another one is set. */
export const DATABASE = 'weft_executions';

/** The rows of the configuration. */
export const table = {
  ...processFields(7002, 9102),
  ...identityFields(),
  ...auditFields(),
  ...mongoFields(DATABASE),
  ...natsFields(),
  natsStreamReplicas: integer({
    env: 'NATS_STREAM_REPLICAS',
    min: 1,
    max: 5,
    default: 1,
    doc: 'Replicas of the stream: 1 on one server, 3 in a cluster.',
  }),
  advertise: text({
    env: 'ADVERTISE',
    default: '',
    doc:
      'IP address of this replica for runners, with or without a port. EXECUTIONS_TARGET of the runners must resolve ' +
      'to it, otherwise the runs of this replica are stored before they begin. Empty: HOST, or the first external ' +
      'address of the machine.',
  }),
  workflowsTarget: target('workflows'),
  credentialsTarget: target('credentials'),
  runnerTarget: runnerTargetField(),
  publicUrl: publicUrlField('http://localhost:8080'),
  // Gateways and runners compare theirs with it.
  webhookHost: webhookHostField(),
  leaseMs: integer({
    env: 'LEASE_MS',
    min: 200,
    max: 600_000,
    default: 30_000,
    doc: 'Duration of the lease that a runner holds on an execution between heartbeats, in milliseconds.',
  }),
  sweepMs: integer({
    env: 'SWEEP_MS',
    internal: true,
    min: 50,
    max: 600_000,
    default: 5_000,
    doc: 'Poll interval for leases, deadlines, waits and unclaimed executions, in milliseconds.',
  }),
  holdAwaitedMs: integer({
    env: 'HOLD_AWAITED_MS',
    min: 0,
    max: 60_000,
    default: 250,
    doc:
      'Time in milliseconds for which a run started by a request may proceed before it is stored, as long as it has ' +
      'no observable effects. A caller who does not wait for the result gets the response when the run is stored. 0: ' +
      'every run is stored before it begins.',
  }),
  queueLimit: integer({
    env: 'QUEUE_LIMIT',
    min: 1,
    max: 1_000_000,
    default: 10_000,
    doc:
      'Maximum number of queued executions of the instance; further starts are refused. Detached sub-workflows and ' +
      'error workflows use at most half of it; beyond that, they wait.',
  }),
  queueMb: integer({
    env: 'QUEUE_MB',
    min: 1,
    max: 1_000_000,
    default: 1_000,
    doc: 'Maximum size of the inputs of all queued executions, in megabytes; further starts are refused.',
  }),
  executionTimeoutHours: integer({
    env: 'EXECUTION_TIMEOUT_HOURS',
    min: 0,
    max: 8_760,
    default: 24,
    doc:
      'Time limit of a run in hours, from its acceptance or from the end of its last wait, if its workflow does ' +
      'not set `executionTimeout`; 0: no limit.',
  }),
  waitTimeoutDays: integer({
    env: 'WAIT_TIMEOUT_DAYS',
    min: 0,
    max: 3_650,
    default: 90,
    doc:
      'Time limit in days of one wait for a time, a call or a sub-workflow; then the run ends with an error. 0: ' +
      'no limit.',
  }),
  retentionDays: integer({
    env: 'RETENTION_DAYS',
    min: 0,
    max: 3_650,
    default: 14,
    doc:
      'Retention of ended executions, in days; 0: unlimited. Workflows may override it ' +
      '(`settings.retention.days`).',
  }),
  retentionCount: integer({
    env: 'RETENTION_COUNT',
    min: 0,
    max: 10_000,
    default: 0,
    doc:
      'Number of ended executions retained per workflow, the newest ones; 0: unlimited. Workflows may override it ' +
      '(`settings.retention.count`).',
  }),
};

/** The configuration table of the executions service. */
export const config = defineConfig(table, tlsErrors);

/** The values of the table. */
export type Config = ConfigValues<typeof config.table>;
