import { ProbeOutcome, ProbeServiceService, type ProbeCredentialRequest } from '@weft/proto/probes';
import { bindService } from '@weft/service-kit/grpc';
import { startFakePeer, type FakePeer } from '@weft/service-kit/testing';

/** Fake of a runner at the gRPC level. It accepts every credential, or answers as configured. */
export interface FakeRunner extends FakePeer {
  readonly probed: ProbeCredentialRequest[];
  /** Sets its answer. */
  readonly answer: (outcome: ProbeOutcome, message: string) => void;
}

export const startFakeRunner = async (publicKeys: string): Promise<FakeRunner> => {
  const probed: ProbeCredentialRequest[] = [];
  let told = { outcome: ProbeOutcome.PROBE_OUTCOME_ACCEPTED, message: 'The server accepts the login.' };
  const probeCredential = (request: ProbeCredentialRequest): Promise<typeof told> => {
    probed.push(request);
    return Promise.resolve(told);
  };
  const peer = await startFakePeer({
    name: 'runner',
    publicKeys,
    services: [
      bindService(ProbeServiceService, { probeCredential }, { probeCredential: { services: ['credentials'] } }),
    ],
  });
  return {
    ...peer,
    probed,
    answer: (outcome, message) => {
      told = { outcome, message };
    },
  };
};
