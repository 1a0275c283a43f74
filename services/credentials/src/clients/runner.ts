import { ProbeOutcome, ProbeServiceService } from '@weft/proto/probes';
import type { TokenSigner } from '@weft/service-kit/auth';
import { InternalError, Unavailable } from '@weft/service-kit/errors';
import { createCaller } from '@weft/service-kit/grpc';
import type { FetchOptions } from '../domain/credentials/list-node-options';
import type { ProbeCredential, TestStatus } from '../domain/credentials/test-credential';

/** The part of the runners that this service needs. */
export interface RunnerClient {
  readonly probeCredential: ProbeCredential;
  readonly fetchOptions: FetchOptions;
  readonly close: () => void;
}

/** Above the time limit of a probe, which answers with its own error. */
const DEADLINE_MS = 12_000;

const STATUSES: ReadonlyMap<ProbeOutcome, TestStatus> = new Map([
  [ProbeOutcome.PROBE_OUTCOME_ACCEPTED, 'ok'],
  [ProbeOutcome.PROBE_OUTCOME_REFUSED, 'error'],
  [ProbeOutcome.PROBE_OUTCOME_UNTESTABLE, 'untestable'],
]);

/** Connects to the runners. @param target gRPC target; empty: none, and every probe is unavailable */
export const createRunnerClient = (target: string, sign: TokenSigner): RunnerClient => {
  if (target === '')
    return {
      probeCredential: () =>
        Promise.reject(new Unavailable('Credentials cannot be tested here: RUNNER_TARGET is not set.')),
      fetchOptions: () => Promise.reject(new Unavailable('Options cannot be listed here: RUNNER_TARGET is not set.')),
      close: () => undefined,
    };
  // A probed service may be slow to respond, so calls are long polls.
  const { calls, close } = createCaller(ProbeServiceService, { service: 'runner', target, sign, capacity: 20 });
  return {
    probeCredential: async (probe) => {
      const { outcome, message } = await calls.probeCredential(probe, { deadlineMs: DEADLINE_MS, waits: true });
      const status = STATUSES.get(outcome);
      if (status === undefined) throw new InternalError(new Error(`A runner answered with the outcome ${outcome}.`));
      return { status, message };
    },
    fetchOptions: (question) => calls.listOptions(question, { deadlineMs: DEADLINE_MS, waits: true }),
    close,
  };
};
