import { CredentialMatch, CredentialServiceService } from '@weft/proto/credentials';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller, isUnimplemented } from '@weft/service-kit/grpc';
import type { FindRefusedCredentials } from '../domain/check-credentials';
import type { CredentialHow, FindCredentials } from '../domain/link-credentials';

/** The part of the credentials service's methods that this service needs to save workflows. */
export interface CredentialsClient {
  readonly findCredentials: FindCredentials;
  readonly findRefused: FindRefusedCredentials;
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

/** Connects to the credentials service. @param target gRPC target */
export const createCredentialsClient = (target: string, sign: TokenSigner): CredentialsClient => {
  const { calls, close } = createCaller(CredentialServiceService, {
    service: 'credentials',
    target,
    sign,
    retried: ['findCredentials', 'checkCredentialUse'],
  });
  const find: FindCredentials = async (ownerId, references) => {
    try {
      const { found } = await calls.findCredentials({ ownerId, references: [...references] });
      return found.map(({ match, credentialId, usable }) => ({
        how: HOW[match] ?? 'unchecked',
        id: credentialId === '' ? undefined : credentialId,
        isUsable: usable,
      }));
    } catch (error) {
      // A service of release 0.1.0 does not have the method.
      if (!isUnimplemented(error)) throw error;
      return references.map(() => ({ how: 'unchecked', id: undefined, isUsable: true }));
    }
  };
  return {
    findCredentials: async (ownerId, references) => {
      const all = [];
      for (let from = 0; from < references.length; from += MAX_REFERENCES)
        all.push(...(await find(ownerId, references.slice(from, from + MAX_REFERENCES))));
      return all;
    },
    findRefused: async ({ ownerId, workflowId, credentialIds }) => {
      try {
        const question = { ownerId, workflowId, credentialIds: [...credentialIds] };
        return (await calls.checkCredentialUse(question)).refused;
      } catch (error) {
        // Release 0.1.0, during an update: the credential is checked when it is used.
        if (isUnimplemented(error)) return [];
        throw error;
      }
    },
    close,
  };
};
