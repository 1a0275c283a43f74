import { CredentialServiceService } from '@weft/proto/credentials';
import type { TokenSigner } from '@weft/service-kit/auth';
import { createCaller } from '@weft/service-kit/grpc';
import { parseJson, type JsonObject } from '@weft/service-kit/json';

/** A credential that a node of a claimed execution names. */
export interface CredentialRequest {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  readonly credentialId: string;
  readonly type: string;
}

/** The credentials service, as the runner uses it. */
export interface CredentialsClient {
  /** The data of the credential. @throws ServiceError if the claim, the node or the owner may not use it. */
  readonly use: (request: CredentialRequest) => Promise<JsonObject>;
  readonly close: () => void;
}

/** The credentials service over gRPC. Its answers are not stored anywhere. */
export const createCredentialsClient = (target: string, sign: TokenSigner): CredentialsClient => {
  const { calls, close } = createCaller(CredentialServiceService, {
    service: 'credentials',
    target,
    sign,
    retried: ['useCredential'],
    background: true,
  });
  return {
    close,
    use: async (request) => {
      const { dataJson } = await calls.useCredential(request);
      const data = parseJson(Buffer.from(dataJson));
      return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
    },
  };
};
