import { CredentialServiceService } from '@weft/proto/credentials';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller, isUnimplemented } from '@weft/service-kit/grpc';
import type { FindRefusedCredentials } from '../domain/check-credentials';

/** The part of the credentials service that this service needs to save workflows. */
export interface CredentialsClient {
  readonly findRefused: FindRefusedCredentials;
  readonly close: () => void;
}

/** Connects to the credentials service. @param target gRPC target */
export const createCredentialsClient = (target: string, sign: TokenSigner): CredentialsClient => {
  const { calls, close } = createCaller(CredentialServiceService, {
    service: 'credentials',
    target,
    sign,
    retried: ['checkCredentialUse'],
  });
  return {
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
