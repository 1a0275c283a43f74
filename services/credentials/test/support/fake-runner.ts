import {
  type ListOptionsRequest,
  type ListOptionsResponse,
  ProbeOutcome,
  ProbeServiceService,
  type ProbeCredentialRequest,
} from '@weft/proto/probes';
import { bindService } from '@weft/service-kit/grpc';
import { startFakePeer, type FakePeer } from '@weft/service-kit/testing';

/** Fake of a runner at the gRPC level. It accepts every credential, or answers as configured. */
export interface FakeRunner extends FakePeer {
  readonly probed: ProbeCredentialRequest[];
  /** Questions for options, of which each gets one option and a further page. */
  readonly listed: ListOptionsRequest[];
  /** Sets its answer. */
  readonly answer: (outcome: ProbeOutcome, message: string) => void;
}

export const startFakeRunner = async (publicKeys: string): Promise<FakeRunner> => {
  const probed: ProbeCredentialRequest[] = [];
  const listed: ListOptionsRequest[] = [];
  let told = { outcome: ProbeOutcome.PROBE_OUTCOME_ACCEPTED, message: 'The server accepts the login.' };
  const probeCredential = (request: ProbeCredentialRequest): Promise<typeof told> => {
    probed.push(request);
    return Promise.resolve(told);
  };
  const listOptions = (request: ListOptionsRequest): Promise<ListOptionsResponse> => {
    listed.push(request);
    return Promise.resolve({ optionsJson: Buffer.from('[{"label":"General","value":"C1"}]'), nextCursor: 'more' });
  };
  const peer = await startFakePeer({
    name: 'runner',
    publicKeys,
    services: [
      bindService(
        ProbeServiceService,
        { probeCredential, listOptions },
        { probeCredential: { services: ['credentials'] }, listOptions: { services: ['credentials'] } },
      ),
    ],
  });
  return {
    ...peer,
    probed,
    listed,
    answer: (outcome, message) => {
      told = { outcome, message };
    },
  };
};
