import {
  type ListOptionsRequest,
  type ListOptionsResponse,
  ProbeOutcome,
  ProbeServiceService,
  type ProbeCredentialRequest,
  type RequestHookRequest,
  type RequestHookResponse,
  type RequestTokensRequest,
  type RequestTokensResponse,
} from '@weft/proto/probes';
import { bindService } from '@weft/service-kit/grpc';
import { startFakePeer, type FakePeer } from '@weft/service-kit/testing';

/** Answers a token request; may reject, as a runner that stops. */
export type AnswerTokens = (request: RequestTokensRequest) => Promise<RequestTokensResponse> | RequestTokensResponse;

/** Fake of a runner at the gRPC level. It accepts every credential, or answers as configured. */
export interface FakeRunner extends FakePeer {
  readonly probed: ProbeCredentialRequest[];
  /** Questions for options, of which each gets one option and a further page. */
  readonly listed: ListOptionsRequest[];
  /** Sets its answer. */
  readonly answer: (outcome: ProbeOutcome, message: string) => void;
  /** Requests about hooks; each is done and keeps `{ id: 1 }`. */
  readonly hooks: RequestHookRequest[];
  readonly tokenRequests: RequestTokensRequest[];
  /** Sets its answer to token requests. */
  readonly answerTokens: (answer: AnswerTokens) => void;
}

/** Tokens that a service issued. */
export const issued = (accessToken: string, more: { refreshToken?: string; expiresInSeconds?: number } = {}) => ({
  outcome: { $case: 'issued' as const, value: { accessToken, scope: '', ...more } },
});

/** The refusal of a service. */
export const refused = (code: string, message = `The service said ${code}.`) => ({
  outcome: { $case: 'refused' as const, value: { code, message } },
});

export const startFakeRunner = async (publicKeys: string): Promise<FakeRunner> => {
  const probed: ProbeCredentialRequest[] = [];
  const listed: ListOptionsRequest[] = [];
  const tokenRequests: RequestTokensRequest[] = [];
  let told = { outcome: ProbeOutcome.PROBE_OUTCOME_ACCEPTED, message: 'The server accepts the login.' };
  let answerTokens: AnswerTokens = () => refused('');
  const probeCredential = (request: ProbeCredentialRequest): Promise<typeof told> => {
    probed.push(request);
    return Promise.resolve(told);
  };
  const listOptions = (request: ListOptionsRequest): Promise<ListOptionsResponse> => {
    listed.push(request);
    return Promise.resolve({ optionsJson: Buffer.from('[{"label":"General","value":"C1"}]'), nextCursor: 'more' });
  };
  const requestTokens = async (request: RequestTokensRequest): Promise<RequestTokensResponse> => {
    tokenRequests.push(request);
    return answerTokens(request);
  };
  const hooks: RequestHookRequest[] = [];
  const requestHook = (request: RequestHookRequest): Promise<RequestHookResponse> => {
    hooks.push(request);
    return Promise.resolve({ outcome: { $case: 'done', value: { valid: true, keptJson: '{"id":1}' } } });
  };
  const access = { services: ['credentials'] };
  const handlers = { probeCredential, requestTokens, listOptions, requestHook };
  const peer = await startFakePeer({
    name: 'runner',
    publicKeys,
    services: [
      bindService(ProbeServiceService, handlers, {
        probeCredential: access,
        requestTokens: access,
        listOptions: access,
        requestHook: access,
      }),
    ],
  });
  return {
    ...peer,
    probed,
    listed,
    answer: (outcome, message) => {
      told = { outcome, message };
    },
    hooks,
    tokenRequests,
    answerTokens: (answer) => {
      answerTokens = answer;
    },
  };
};
