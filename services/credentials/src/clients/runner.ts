import { HookRequestAction, ProbeOutcome, ProbeServiceService, type RequestTokensRequest } from '@weft/proto/probes';
import type { TokenSigner } from '@weft/service-kit/auth';
import { InternalError, Unavailable } from '@weft/service-kit/errors';
import type { RequestHook } from '../domain/hooks/call-hook';
import type { RequestTokens, TokenGrant } from '../domain/oauth2/request-tokens';
import { createCaller } from '@weft/service-kit/grpc';
import type { FetchOptions } from '../domain/credentials/list-node-options';
import type { ProbeCredential, TestStatus } from '../domain/credentials/test-credential';

/** The part of the runners that this service needs. */
export interface RunnerClient {
  readonly probeCredential: ProbeCredential;
  readonly fetchOptions: FetchOptions;
  readonly requestTokens: RequestTokens;
  readonly requestHook: RequestHook;
  readonly close: () => void;
}

/** Above the time limit of a probe, which answers with its own error. */
const DEADLINE_MS = 12_000;

const STATUSES: ReadonlyMap<ProbeOutcome, TestStatus> = new Map([
  [ProbeOutcome.PROBE_OUTCOME_ACCEPTED, 'ok'],
  [ProbeOutcome.PROBE_OUTCOME_REFUSED, 'error'],
  [ProbeOutcome.PROBE_OUTCOME_UNTESTABLE, 'untestable'],
]);

const HOOK_ACTIONS = {
  register: HookRequestAction.HOOK_REQUEST_ACTION_REGISTER,
  check: HookRequestAction.HOOK_REQUEST_ACTION_CHECK,
  remove: HookRequestAction.HOOK_REQUEST_ACTION_REMOVE,
} as const;

const toGrantMessage = (grant: TokenGrant): RequestTokensRequest['grant'] => {
  if (grant.kind === 'refresh') return { $case: 'refreshToken', value: grant.refreshToken };
  const { code, redirectUri, verifier } = grant;
  return { $case: 'authorizationCode', value: { code, redirectUri, verifier } };
};

/** Connects to the runners. @param target gRPC target; empty: none, and every probe is unavailable */
export const createRunnerClient = (target: string, sign: TokenSigner): RunnerClient => {
  if (target === '')
    return {
      probeCredential: () =>
        Promise.reject(new Unavailable('Credentials cannot be tested here: RUNNER_TARGET is not set.')),
      fetchOptions: () => Promise.reject(new Unavailable('Options cannot be listed here: RUNNER_TARGET is not set.')),
      requestTokens: () =>
        Promise.reject(new Unavailable('No tokens can be requested here: RUNNER_TARGET is not set.')),
      requestHook: () =>
        Promise.reject(new Unavailable('Triggers cannot be registered here: RUNNER_TARGET is not set.')),
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
    requestTokens: async ({ type, dataJson, grant }) => {
      const options = { deadlineMs: DEADLINE_MS, waits: true };
      const { outcome } = await calls.requestTokens({ type, dataJson, grant: toGrantMessage(grant) }, options);
      switch (outcome?.$case) {
        case 'issued': {
          const { accessToken, refreshToken, expiresInSeconds, scope } = outcome.value;
          return { kind: 'issued', tokens: { accessToken, refreshToken, expiresInSeconds, scope } };
        }
        case 'refused':
          return { kind: 'refused', code: outcome.value.code, message: outcome.value.message };
        case 'unanswered':
          return { kind: 'unanswered', message: outcome.value };
        case undefined:
          throw new InternalError(new Error('A runner answered a token request without an outcome.'));
      }
    },
    requestHook: async ({ action, ...request }) => {
      const options = { deadlineMs: DEADLINE_MS, waits: true };
      const { outcome } = await calls.requestHook({ ...request, action: HOOK_ACTIONS[action] }, options);
      switch (outcome?.$case) {
        case 'done':
          return { kind: 'answered', isValid: outcome.value.valid, keptJson: outcome.value.keptJson };
        case 'refused':
          return { kind: 'refused', message: outcome.value.message, isCertain: outcome.value.certain };
        case undefined:
          throw new InternalError(new Error('A runner answered a request about a hook without an outcome.'));
      }
    },
    close,
  };
};
