import { testNatsUrl } from '@weft/service-kit/testing';
import type { OpenPools } from '../src/pools/open-pools';

/** What a runner of a test works with. */
export interface RunnerParts {
  readonly keys: { readonly privateKeyOf: (service: string) => string; readonly publicKeys: string };
  readonly queue: { readonly stream: string };
  /** Address of executions. */
  readonly executions: string;
}

/** Pools that start no process, for a runner that runs no code: a sealed process takes half a second to be there. */
export const noPools = (): OpenPools => ({
  code: { of: () => ({ run: () => Promise.resolve({ kind: 'stopped', reason: 'start', console: [] }) }) },
  formats: { of: () => ({ run: () => Promise.resolve({ kind: 'stopped', reason: 'start' }) }) },
  ready: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

/** Variables of a runner that one test has for itself. Credentials and workflows are not there. */
export const runnerEnv = ({ keys, queue, executions }: RunnerParts): Record<string, string> => ({
  PORT: '0',
  SERVICE_KEY: keys.privateKeyOf('runner'),
  SERVICE_PUBLIC_KEYS: keys.publicKeys,
  NATS_URL: testNatsUrl(),
  NATS_STREAM: queue.stream,
  EXECUTIONS_TARGET: executions,
  CREDENTIALS_TARGET: 'ipv4:127.0.0.1:1',
  WORKFLOWS_TARGET: 'ipv4:127.0.0.1:1',
  DRAIN_MS: '100',
});
