import { DEFAULT_EXECUTION_STREAM } from '@weft/proto/execution-queue';
import {
  defineConfig,
  identityFields,
  integer,
  mongoFields,
  processFields,
  target,
  text,
  url,
  type ConfigValues,
} from '@weft/service-kit/config';

/** The configuration table of the executions service. */
export const config = defineConfig({
  ...processFields(7002),
  ...identityFields(),
  ...mongoFields('weft_executions'),
  natsUrl: url({
    env: 'NATS_URL',
    schemes: ['nats', 'tls'],
    secret: true,
    doc: 'NATS servers, separated by commas. They carry hints only.',
  }),
  natsStream: text({
    env: 'NATS_STREAM',
    default: DEFAULT_EXECUTION_STREAM,
    doc: 'JetStream stream of this instance; the runners have the same.',
  }),
  natsStreamReplicas: integer({
    env: 'NATS_STREAM_REPLICAS',
    min: 1,
    max: 5,
    default: 1,
    doc: 'Copies of the stream: 1 on one server, 3 in a cluster.',
  }),
  workflowsTarget: target('workflows'),
  credentialsTarget: target('credentials'),
  publicUrl: url({
    env: 'PUBLIC_URL',
    schemes: ['http', 'https'],
    default: 'http://localhost:8080',
    doc:
      'Address under which clients reach the gateway, for the address of a failed execution that its error ' +
      'workflow is given; the same as in gateway.',
  }),
  leaseMs: integer({
    env: 'LEASE_MS',
    min: 200,
    max: 600_000,
    default: 30_000,
    doc: 'How long a runner holds an execution without a heartbeat, in milliseconds.',
  }),
  sweepMs: integer({
    env: 'SWEEP_MS',
    min: 50,
    max: 600_000,
    default: 5_000,
    doc: 'How often leases, deadlines, waits and unclaimed executions are looked after, in milliseconds.',
  }),
  queueLimit: integer({
    env: 'QUEUE_LIMIT',
    min: 1,
    max: 1_000_000,
    default: 10_000,
    doc:
      'Queued executions of the instance above which starts are refused. Sub-workflows that are not waited for ' +
      'and error workflows take at most half of it, and wait instead.',
  }),
  queueMb: integer({
    env: 'QUEUE_MB',
    min: 1,
    max: 1_000_000,
    default: 1_000,
    doc: 'Inputs of queued executions of the instance, in megabytes, above which starts are refused.',
  }),
  queueOwnerShare: integer({
    env: 'QUEUE_OWNER_SHARE',
    min: 1,
    max: 100,
    default: 80,
    doc: 'Share of QUEUE_LIMIT and QUEUE_MB that the executions of one owner may take, in percent.',
  }),
  executionTimeoutHours: integer({
    env: 'EXECUTION_TIMEOUT_HOURS',
    min: 0,
    max: 8_760,
    default: 24,
    doc:
      'Hours that a run may take from its acceptance, or from the end of its last wait, if its workflow does ' +
      'not set `executionTimeout`; 0 for no bound.',
  }),
  waitTimeoutDays: integer({
    env: 'WAIT_TIMEOUT_DAYS',
    min: 0,
    max: 3_650,
    default: 90,
    doc:
      'Days for which such a run may wait for a time, a call or a sub-workflow before it ends with an error; 0 ' +
      'for no bound.',
  }),
  retentionDays: integer({
    env: 'RETENTION_DAYS',
    min: 0,
    max: 3_650,
    default: 14,
    doc:
      'Days for which ended executions are kept; 0 keeps them for ever. Workflows may say otherwise ' +
      '(`settings.retention.days`).',
  }),
  retentionCount: integer({
    env: 'RETENTION_COUNT',
    min: 0,
    max: 10_000,
    default: 0,
    doc:
      'Executions of each workflow that are kept, the newest ones; 0 for no bound. Workflows may say otherwise ' +
      '(`settings.retention.count`).',
  }),
});

/** The values of the table. */
export type Config = ConfigValues<typeof config.table>;
