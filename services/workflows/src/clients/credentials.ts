import { type CallHookResponse, CredentialMatch, CredentialServiceService, HookAction } from '@weft/proto/credentials';
import type { TokenSigner } from '@weft/service-kit/auth';
import { InternalError, Unavailable } from '@weft/service-kit/errors';
import { createCaller, isUnimplemented } from '@weft/service-kit/grpc';
import type { CredentialHow, FindCredentials } from '../domain/definitions/link-credentials';
import type { CalledHook, CallHook } from '../domain/hooks/hook';

/** The part of the credentials service that this service needs to save workflows and to register their triggers. */
export interface CredentialsClient {
  readonly findCredentials: FindCredentials;
  readonly callHook: CallHook;
  readonly close: () => void;
}

/** Maximum references in one call. */
const MAX_REFERENCES = 500;

const HOW: Readonly<Partial<Record<CredentialMatch, CredentialHow>>> = {
  [CredentialMatch.CREDENTIAL_MATCH_ID]: 'id',
  [CredentialMatch.CREDENTIAL_MATCH_NAME]: 'name',
  [CredentialMatch.CREDENTIAL_MATCH_AMBIGUOUS]: 'ambiguous',
  [CredentialMatch.CREDENTIAL_MATCH_NONE]: 'none',
};

/** Above the time limit of a runner, which answers with its own error, and below the lease of a hook. */
const HOOK_DEADLINE_MS = 13_000;

const HOOK_ACTIONS = {
  prepare: HookAction.HOOK_ACTION_PREPARE,
  register: HookAction.HOOK_ACTION_REGISTER,
  check: HookAction.HOOK_ACTION_CHECK,
  remove: HookAction.HOOK_ACTION_REMOVE,
} as const;

/** Connects to the credentials service. @param target gRPC target */
export const createCredentialsClient = (target: string, sign: TokenSigner): CredentialsClient => {
  const { calls, close } = createCaller(CredentialServiceService, {
    service: 'credentials',
    target,
    sign,
    retried: ['findCredentials'],
  });
  const find: FindCredentials = async ({ ownerId, workflowId }, references) => {
    try {
      const { found } = await calls.findCredentials({ ownerId, workflowId, references: [...references] });
      return found.map(({ match, credentialId, refusal }) => ({
        how: HOW[match] ?? 'unchecked',
        id: credentialId === '' ? undefined : credentialId,
        refusal,
      }));
    } catch (error) {
      // A service of release 0.1.0 does not have the method: credentials are checked when they are used.
      if (!isUnimplemented(error)) throw error;
      return references.map(() => ({ how: 'unchecked', id: undefined, refusal: undefined }));
    }
  };
  return {
    findCredentials: async (workflow, references) => {
      const all = [];
      for (let from = 0; from < references.length; from += MAX_REFERENCES)
        all.push(...(await find(workflow, references.slice(from, from + MAX_REFERENCES))));
      return all;
    },
    callHook: async (action, hook) => {
      const { id: hookId, workflowId, ownerId, kind, version, parametersJson, credentialType, credentialId } = hook;
      const { url, sealedSecret, keptJson } = hook;
      const named = { hookId, workflowId, ownerId, kind, version, parametersJson, credentialType, credentialId };
      const request = { ...named, url, sealedSecret, keptJson, action: HOOK_ACTIONS[action] };
      const called = await calls
        .callHook(request, { deadlineMs: HOOK_DEADLINE_MS, waits: true })
        .catch((error: unknown) => {
          if (!isUnimplemented(error)) throw error;
          throw new Unavailable('The credentials service is of an earlier release. Try again after the update.');
        });
      return { ...called, outcome: toOutcome(called.outcome) };
    },
    close,
  };
};

const toOutcome = (outcome: CallHookResponse['outcome']): CalledHook['outcome'] => {
  switch (outcome?.$case) {
    case 'answer':
      return { kind: 'answered', isValid: outcome.value.valid, keptJson: outcome.value.keptJson };
    case 'refusal':
      return { kind: 'refused', message: outcome.value.message, isCertain: outcome.value.certain };
    case undefined:
      throw new InternalError(new Error('The credentials service answered a request about a hook without an outcome.'));
  }
};
