import { ApiKeyServiceService, Role as RoleMessage, type VerifyApiKeyRequest } from '@weft/proto/identity';
import {
  createVerifyUser,
  projectsOf,
  scopeOf,
  type AskVerification,
  type Role,
  type TokenSigner,
  type UserProof,
  type VerifyUser,
} from '../auth';
import { Unauthorized } from '../errors';
import { createCaller, type Calls } from '../grpc';

const ROLES: Readonly<Record<RoleMessage, Role | undefined>> = {
  [RoleMessage.ROLE_UNSPECIFIED]: undefined,
  [RoleMessage.ROLE_OWNER]: 'owner',
  [RoleMessage.ROLE_ADMIN]: 'admin',
  [RoleMessage.ROLE_EDITOR]: 'editor',
  [RoleMessage.ROLE_VIEWER]: 'viewer',
};

/** Converts a role. @throws Unauthorized for one that this version does not know, which grants nothing */
export const roleNameOf = (role: RoleMessage): Role => {
  const name = ROLES[role];
  if (name === undefined) throw new Unauthorized('The role of the user is unknown.');
  return name;
};

const proofOf = (proof: UserProof): NonNullable<VerifyApiKeyRequest['proof']> =>
  proof.kind === 'api-key'
    ? { $case: 'apiKey', value: proof.apiKey }
    : {
        $case: 'basic',
        value: { username: proof.username, password: proof.password, clientAddress: proof.clientAddress },
      };

/**
 * Timeout of a verification, in milliseconds: a third of a request's. When password guesses keep all processors busy,
 * the verification is the slowest part of a request, and its caller would rather wait than fail.
 */
const DEADLINE_MS = 10_000;

/** Verification by the credentials service. */
export const verificationBy =
  (calls: Pick<Calls<typeof ApiKeyServiceService>, 'verifyApiKey'>): AskVerification =>
  async (proof, count) => {
    const { userId, email, role, limit, remaining, resetAt, granted, scopes, apiKeyId, ...rest } =
      await calls.verifyApiKey({ proof: proofOf(proof), count, knowsScopes: true }, { deadlineMs: DEADLINE_MS });
    return {
      user: {
        userId,
        email,
        role: roleNameOf(role),
        limit,
        remaining,
        resetAt: resetAt ?? new Date(),
        // A scope that this version does not know grants nothing.
        ...(scopes.length === 0 ? {} : { scopes: scopes.flatMap((name) => scopeOf(name) ?? []) }),
        ...projectsOf(rest.projectIds, rest.readProjectIds),
        ...(apiKeyId === undefined ? {} : { keyId: apiKeyId }),
      },
      granted,
    };
  };

/** Authenticates external callers of a service. */
export interface UserVerifier {
  readonly verifyUser: VerifyUser;
  readonly close: () => void;
}

/**
 * Connects a service to the credentials service, to authenticate callers that bypass the gateway.
 * @param target gRPC target of the credentials service
 */
export const connectUserVerifier = (target: string, sign: TokenSigner): UserVerifier => {
  const { calls, close } = createCaller(ApiKeyServiceService, { service: 'credentials', target, sign });
  return { verifyUser: createVerifyUser(verificationBy(calls)), close };
};
