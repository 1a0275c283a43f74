import { CredentialMatch, CredentialServiceService } from '@weft/proto/credentials';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller, isUnimplemented } from '@weft/service-kit/grpc';
import type { CredentialHow, FindCredentials } from '../domain/definitions/link-credentials';

/** The part of the credentials service that this service needs to save workflows. */
export interface CredentialsClient {
  readonly findCredentials: FindCredentials;
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
    close,
  };
};
