import { defineConfig, identityFields, integer, list, processFields, target, text, url } from '@weft/service-kit/config';
import { DEFAULT_EXECUTION_STREAM } from '@weft/proto/execution-queue';

/** Configuration of a runner. */
export const config = defineConfig({
  ...processFields(7004),
  ...identityFields(),
  natsUrl: url({ env: 'NATS_URL', schemes: ['nats', 'tls'], doc: 'NATS servers, separated by commas.' }),
  natsStream: text({ env: 'NATS_STREAM', default: DEFAULT_EXECUTION_STREAM, doc: 'JetStream stream of this instance; the same as in executions.' }),
  executionsTarget: target('executions'),
  credentialsTarget: target('credentials'),
  slots: integer({ env: 'RUNNER_SLOTS', min: 1, max: 1_000, default: 64, doc: 'How many executions run at once.' }),
  outboundAllow: list({ env: 'OUTBOUND_ALLOW', default: [], doc: 'Hosts, host patterns (*.example.org) and CIDR blocks that nodes may reach although the guard would refuse them.' }),
  expressionEnvAllow: list({ env: 'EXPRESSION_ENV_ALLOW', default: [], doc: 'Names of environment variables that expressions may read as $env.' }),
});

/** Values of the configuration. */
export type Config = ReturnType<typeof config.load>;
