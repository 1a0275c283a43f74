import { CREDENTIAL_TYPES } from '@weft/node-catalogue';
import { CredentialServiceService } from '@weft/proto/credentials';
import type { TokenSigner } from '@weft/service-kit/auth';
import { ServiceError } from '@weft/service-kit/errors';
import { createCaller } from '@weft/service-kit/grpc';
import { parseJson, type JsonObject } from '@weft/service-kit/json';

/** A credential that a node of a claimed execution uses. */
export interface CredentialRequest {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  readonly credentialId: string;
  readonly type: string;
  /** SHA-256 in base64url of an access token that the service has just refused. */
  readonly refusedTokenHash?: string;
}

/** A call of a node with the rights of its workflow's owner. */
export interface RunTokenRequest {
  readonly executionId: string;
  readonly fence: number;
  readonly node: string;
  /** Path of the method. */
  readonly method: string;
}

/** The runner's client of the credentials service. */
export interface CredentialsClient {
  /** Returns the data of the credential. @throws ServiceError if the claim, the node or the owner may not use it. */
  readonly use: (request: CredentialRequest) => Promise<JsonObject>;
  /**
   * Returns a token to call one method with the rights of the owner of the running workflow.
   * @throws ServiceError if the claim or the node is not permitted
   */
  readonly issueRunToken: (request: RunTokenRequest) => Promise<string>;
  readonly close: () => void;
}

/**
 * A credential sealed by a lost master key is a server error, which would be retried forever. It is treated as a
 * failure of the node instead, since a user has to enter the credential again.
 */
const asRefusal = (error: unknown): unknown => {
  if (!(error instanceof ServiceError) || error.reason !== 'CREDENTIAL_UNREADABLE') return error;
  const { reason, message, details } = error;
  return new ServiceError({ reason, message, details, kind: 'precondition', cause: error });
};

/** Above the time for which a use waits for tokens to be refreshed, in milliseconds. */
const REFRESH_DEADLINE_MS = 40_000;

/** A use that may wait for the token endpoint of a service, apart from all others: it delays none of them. */
const mayWait = (type: string): { readonly deadlineMs: number; readonly waits: true } | Record<string, never> =>
  CREDENTIAL_TYPES.get(type)?.applied === 'oauth2' ? { deadlineMs: REFRESH_DEADLINE_MS, waits: true } : {};

/** Client of the credentials service over gRPC. Never caches its responses. */
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
      const { dataJson } = await calls.useCredential(request, mayWait(request.type)).catch((error: unknown) => {
        throw asRefusal(error);
      });
      const data = parseJson(Buffer.from(dataJson));
      return typeof data === 'object' && data !== null && !Array.isArray(data) ? data : {};
    },
  };
};
