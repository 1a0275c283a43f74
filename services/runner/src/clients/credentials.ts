import { CredentialServiceService } from '@weft/proto/credentials';
import type { TokenSigner } from '@weft/service-kit/auth';
import { ServiceError } from '@weft/service-kit/errors';
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

/** A call of a node with the rights of its workflow's owner. */
export interface RunTokenRequest {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  /** Path of the method. */
  readonly method: string;
}

/** The credentials service, as the runner uses it. */
export interface CredentialsClient {
  /** The data of the credential. @throws ServiceError if the claim, the node or the owner may not use it. */
  readonly use: (request: CredentialRequest) => Promise<JsonObject>;
  /**
   * A token to call one method with the rights of the owner of the running workflow.
   * @throws ServiceError if the claim or the node may not
   */
  readonly issueRunToken: (request: RunTokenRequest) => Promise<string>;
  readonly close: () => void;
}

/**
 * A credential that was sealed by a master key that is gone is a fault of the service, and would be asked for again
 * without end. It is an answer about the node all the same: somebody has to enter the credential again.
 */
const asRefusal = (error: unknown): unknown => {
  if (!(error instanceof ServiceError) || error.reason !== 'CREDENTIAL_UNREADABLE') return error;
  const { reason, message, details } = error;
  return new ServiceError({ reason, message, details, kind: 'precondition', cause: error });
};

/** The credentials service over gRPC. Its answers are not stored anywhere. */
export const createCredentialsClient = (target: string, sign: TokenSigner): CredentialsClient => {
  const { calls, close } = createCaller(CredentialServiceService, {
    service: 'credentials',
    target,
    sign,
    retried: ['useCredential', 'issueRunToken'],
    background: true,
  });
  return {
    close,
    issueRunToken: async ({ executionId, fence, node, method }) =>
      (await calls.issueRunToken({ executionId, fence, node, method })).token,
    use: async (request) => {
      const { dataJson } = await calls.useCredential(request).catch((error: unknown) => {
        throw asRefusal(error);
      });
      const data = parseJson(Buffer.from(dataJson));
      return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
    },
  };
};
