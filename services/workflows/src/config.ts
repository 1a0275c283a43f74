import {
  auditFields,
  defineConfig,
  identityFields,
  integer,
  mongoFields,
  processFields,
  publicUrlField,
  target,
  timezoneField,
  webhookHostField,
  type ConfigValues,
} from '@weft/service-kit/config';
import { tlsErrors } from '@weft/service-kit/mutual-tls';

/** Default name of the database. */
export const DATABASE = 'weft_workflows';

export const table = {
  ...processFields(7001, 9101),
  ...identityFields(),
  ...auditFields(),
  ...mongoFields(DATABASE),
  executionsTarget: target('executions'),
  credentialsTarget: target('credentials'),
  publicUrl: publicUrlField('http://localhost:8080'),
  webhookHost: webhookHostField(),
  defaultTimezone: timezoneField(),
  chatMemoryDays: integer({
    env: 'CHAT_MEMORY_DAYS',
    min: 1,
    max: 3_650,
    default: 30,
    doc: 'Days after its last message at which a stored conversation of a workflow is deleted.',
  }),
  schedulePollMs: integer({
    env: 'SCHEDULE_POLL_MS',
    internal: true,
    min: 20,
    max: 60_000,
    default: 1_000,
    doc: 'Poll interval for due schedules, in milliseconds.',
  }),
};

export const config = defineConfig(table, tlsErrors);

export type Config = ConfigValues<typeof config.table>;
