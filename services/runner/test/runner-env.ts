import { testNatsUrl } from '@weft/service-kit/testing';
import type { OpenPools } from '../src/pools/open-pools';

/** Dependencies of a runner under test. */
export interface RunnerParts {
  readonly keys: { readonly privateKeyOf: (service: string) => string; readonly publicKeys: string };
  readonly queue: { readonly stream: string };
  /** Address of executions. */
  readonly executions: string;
}

/** Pools that start no process, for a runner that runs no code: starting a sandboxed process takes half a second. */
export const noPools = (): OpenPools => ({
  code: { of: () => ({ run: () => Promise.resolve({ kind: 'stopped', reason: 'start', console: [] }) }) },
  formats: { of: () => ({ run: () => Promise.resolve({ kind: 'stopped', reason: 'start' }) }) },
  ready: () => Promise.resolve(),
  close: () => Promise.resolve(),
});

/** Variables of a runner for one test. Credentials and workflows are unavailable. */
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
