import { ApiKeyServiceService, Role as RoleCode } from '@weft/proto/identity';
import type { AskVerification, Role, TokenSigner, UserProof } from '@weft/service-kit/auth';
import { InternalError } from '@weft/service-kit/errors';
import { createCaller } from '@weft/service-kit/grpc';

const ROLES: Readonly<Record<RoleCode, Role | undefined>> = {
  [RoleCode.ROLE_UNSPECIFIED]: undefined,
  [RoleCode.ROLE_OWNER]: 'owner',
  [RoleCode.ROLE_ADMIN]: 'admin',
  [RoleCode.ROLE_EDITOR]: 'editor',
  [RoleCode.ROLE_VIEWER]: 'viewer',
};

const proofMessage = (proof: UserProof) =>
  proof.kind === 'api-key'
    ? { $case: 'apiKey' as const, value: proof.apiKey }
    : { $case: 'basic' as const, value: { username: proof.username, password: proof.password } };

/** The credentials service: who outside callers are. */
export interface CredentialsClient {
  readonly verify: AskVerification;
  readonly close: () => void;
}

/** Connects to the credentials service; calls carry this service's tokens. */
export const createCredentialsClient = (target: string, sign: TokenSigner): CredentialsClient => {
  const { calls, close } = createCaller(ApiKeyServiceService, { service: 'credentials', target, sign });
  return {
    verify: async (proof, count) => {
      const answer = await calls.verifyApiKey({ proof: proofMessage(proof), count });
      const role = ROLES[answer.role];
      if (role === undefined) throw new InternalError(new Error(`The credentials service answered with the role ${answer.role}.`));
      const { userId, email, limit, remaining, granted } = answer;
      return { user: { userId, email, role, limit, remaining, resetAt: answer.resetAt ?? new Date() }, granted };
    },
    close,
  };
};
