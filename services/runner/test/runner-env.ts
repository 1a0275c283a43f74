import { testNatsUrl } from '@weft/service-kit/testing';

/** What a runner of a test works with. */
export interface RunnerParts {
  readonly keys: { readonly privateKeyOf: (service: string) => string; readonly publicKeys: string };
  readonly queue: { readonly stream: string };
  /** Address of executions. */
  readonly executions: string;
}

/**
 * Variables of a runner that one test has for itself. Credentials and workflows are not there, and code is not sealed:
 * a sealed process takes half a second to be there.
 */
export const runnerEnv = ({ keys, queue, executions }: RunnerParts): Record<string, string> => ({
  PORT: '0',
  RUNNER_SANDBOX: 'off',
  SERVICE_KEY: keys.privateKeyOf('runner'),
  SERVICE_PUBLIC_KEYS: keys.publicKeys,
  NATS_URL: testNatsUrl(),
  NATS_STREAM: queue.stream,
  EXECUTIONS_TARGET: executions,
  CREDENTIALS_TARGET: 'ipv4:127.0.0.1:1',
  WORKFLOWS_TARGET: 'ipv4:127.0.0.1:1',
  DRAIN_MS: '100',
});
