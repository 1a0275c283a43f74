import { ProbeOutcome, ProbeServiceService, type ProbeCredentialRequest } from '@weft/proto/probes';
import { bindService } from '@weft/service-kit/grpc';
import { startFakePeer, type FakePeer } from '@weft/service-kit/testing';

/** A runner, faked at the wire: it accepts every credential, or says what it was told to. */
export interface FakeRunner extends FakePeer {
  readonly probed: ProbeCredentialRequest[];
  /** What it answers from now on. */
  readonly answer: (outcome: ProbeOutcome, message: string) => void;
}

/** Starts the fake. */
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
