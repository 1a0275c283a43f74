import { ApiKeyServiceService, Role as RoleMessage, type VerifyApiKeyResponse } from '@weft/proto/identity';
import type { AskVerification, Role, TokenSigner, UserProof } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import { createCaller } from '@weft/service-kit/grpc';

/** What executions asks of the credentials service. */
export interface CredentialsClient {
  readonly askVerification: AskVerification;
  readonly close: () => void;
}

const DEADLINE_MS = 5_000;

const ROLES: Readonly<Record<RoleMessage, Role | undefined>> = {
  [RoleMessage.ROLE_UNSPECIFIED]: undefined,
  [RoleMessage.ROLE_OWNER]: 'owner',
  [RoleMessage.ROLE_ADMIN]: 'admin',
  [RoleMessage.ROLE_EDITOR]: 'editor',
  [RoleMessage.ROLE_VIEWER]: 'viewer',
};

const proofMessage = (proof: UserProof) =>
  proof.kind === 'api-key'
    ? { $case: 'apiKey' as const, value: proof.apiKey }
    : { $case: 'basic' as const, value: { username: proof.username, password: proof.password } };

const toVerification = ({ userId, email, role: message, granted, limit, remaining, resetAt }: VerifyApiKeyResponse): Awaited<ReturnType<AskVerification>> => {
  const role = ROLES[message];
  if (role === undefined) throw new Unauthorized('The user has no role.');
  return { granted, user: { userId, email, role, limit, remaining, resetAt: resetAt ?? new Date() } };
};

/** A client of the credentials service, for outside callers that come here directly. */
export const createCredentialsClient = (target: string, sign: TokenSigner): CredentialsClient => {
  const { calls, close } = createCaller(ApiKeyServiceService, { service: 'credentials', target, sign });
  return {
    askVerification: async (proof, count) => toVerification(await calls.verifyApiKey({ proof: proofMessage(proof), count }, { deadlineMs: DEADLINE_MS })),
    close,
  };
};
