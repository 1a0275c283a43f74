import type { Role as WireRole, VerifyApiKeyRequest } from '@weft/proto/identity';
import { ApiKeyServiceService, Role, SessionServiceService } from '@weft/proto/identity';
import type { Role as RoleName, UserProof, Verification, VerifyUser } from '@weft/service-kit/auth';
import { createVerifyUser } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { Calls } from '@weft/service-kit/grpc';
import { createCaller } from '@weft/service-kit/grpc';
import type { Neighbour } from './neighbour';

/** What the gateway asks of the credentials service about people, keys and sessions. */
export interface IdentityClient {
  /** Verifies one request and counts it; never from an earlier answer. @throws Unauthorized */
  readonly verifyUser: VerifyUser;
  readonly apiKeys: Calls<typeof ApiKeyServiceService>;
  readonly sessions: Calls<typeof SessionServiceService>;
  readonly close: () => void;
}

const ROLES = new Map<WireRole, RoleName>([
  [Role.ROLE_OWNER, 'owner'],
  [Role.ROLE_ADMIN, 'admin'],
  [Role.ROLE_EDITOR, 'editor'],
  [Role.ROLE_VIEWER, 'viewer'],
]);

/** The name of a role. @throws Unauthorized for one this version does not know: it can grant nothing. */
export const roleNameOf = (role: WireRole): RoleName => {
  const name = ROLES.get(role);
  if (name === undefined) throw new Unauthorized('The user has no role that this service knows.');
  return name;
};

/** Verifications under way at once: one to four for each key that is busy. */
const MAX_VERIFICATIONS = 1_000;

const proofOf = (proof: UserProof): NonNullable<VerifyApiKeyRequest['proof']> =>
  proof.kind === 'api-key'
    ? { $case: 'apiKey', value: proof.apiKey }
    : { $case: 'basic', value: { username: proof.username, password: proof.password } };

/** Connects to the identity side of the credentials service. */
export const createIdentityClient = (neighbour: Neighbour): IdentityClient => {
  const apiKeys = createCaller(ApiKeyServiceService, { service: 'credentials', ...neighbour, retried: ['listApiKeys'], capacity: MAX_VERIFICATIONS });
  const sessions = createCaller(SessionServiceService, { service: 'credentials', ...neighbour, retried: ['verifySession', 'signOut'] });
  const ask = async (proof: UserProof, count: number): Promise<Verification> => {
    const { userId, email, role, limit, remaining, resetAt, granted } = await apiKeys.calls.verifyApiKey({ proof: proofOf(proof), count });
    return { user: { userId, email, role: roleNameOf(role), limit, remaining, resetAt: resetAt ?? new Date() }, granted };
  };
  const close = (): void => {
    apiKeys.close();
    sessions.close();
  };
  return { verifyUser: createVerifyUser(ask), apiKeys: apiKeys.calls, sessions: sessions.calls, close };
};
