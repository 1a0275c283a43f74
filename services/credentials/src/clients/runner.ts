import { ProbeOutcome, ProbeServiceService } from '@weft/proto/probes';
import type { TokenSigner } from '@weft/service-kit/auth';
import { InternalError, Unavailable } from '@weft/service-kit/errors';
import { createCaller } from '@weft/service-kit/grpc';
import type { ProbeCredential, TestStatus } from '../domain/credentials/test-credential';

/** The runners, as far as this service needs them. */
export interface RunnerClient {
  readonly probeCredential: ProbeCredential;
  readonly close: () => void;
}

/** Above the limit of a probe, which answers by itself. */
const DEADLINE_MS = 12_000;

const STATUSES: ReadonlyMap<ProbeOutcome, TestStatus> = new Map([
  [ProbeOutcome.PROBE_OUTCOME_ACCEPTED, 'ok'],
  [ProbeOutcome.PROBE_OUTCOME_REFUSED, 'error'],
  [ProbeOutcome.PROBE_OUTCOME_UNTESTABLE, 'untestable'],
]);

/** A client of the runners. @param target gRPC target; empty: there is none, and every probe is unavailable. */
export const createRunnerClient = (target: string, sign: TokenSigner): RunnerClient => {
  if (target === '')
    return {
      probeCredential: () =>
        Promise.reject(new Unavailable('Credentials cannot be tested here: RUNNER_TARGET is not set.')),
      close: () => undefined,
    };
  // A service that is probed may wait for its answer, so calls wait too.
  const { calls, close } = createCaller(ProbeServiceService, { service: 'runner', target, sign, capacity: 20 });
  return {
    probeCredential: async (probe) => {
      const { outcome, message } = await calls.probeCredential(probe, { deadlineMs: DEADLINE_MS, waits: true });
      const status = STATUSES.get(outcome);
      if (status === undefined) throw new InternalError(new Error(`A runner answered with the outcome ${outcome}.`));
      return { status, message };
    },
    close,
  };
};
