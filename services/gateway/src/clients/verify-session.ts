import type { SessionServiceService, VerifySessionResponse } from '@weft/proto/identity';
import {
  type CountedUser,
  createCountingVerifier,
  projectsOf,
  type Verification,
  type VerifiedUser,
} from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { Calls } from '@weft/service-kit/grpc';
import { roleNameOf } from '@weft/service-kit/identity';

/** A session token and the address that it came from. */
export interface SessionProof {
  readonly token: string;
  readonly clientAddress: string;
}

/** Verifies and counts one request of a session, never from a cache. @throws Unauthorized */
export type VerifySession = (proof: SessionProof) => Promise<CountedUser>;

/** Timeout of a verification, in milliseconds, as for API keys. */
const DEADLINE_MS = 10_000;

/** The user as for an API key. A credentials service of release 0.1.0 counts nothing: then there is no limit. */
const verifiedUser = ({ user, allowance, ...projects }: VerifySessionResponse): VerifiedUser => {
  if (user === undefined) throw new Unauthorized('The session has ended. Sign in again.');
  const { id, email, role } = user;
  return {
    userId: id,
    email,
    role: roleNameOf(role),
    limit: allowance?.limit ?? 0,
    remaining: allowance?.remaining ?? 0,
    resetAt: allowance?.resetAt ?? new Date(),
    ...projectsOf(projects.projectIds, projects.readProjectIds),
  };
};

/** Verification of sessions by the credentials service. */
export const createVerifySession = (calls: Pick<Calls<typeof SessionServiceService>, 'verifySession'>): VerifySession =>
  createCountingVerifier<SessionProof>({
    keyOf: ({ token }) => token,
    guessOf: ({ token, clientAddress }) => ({ clientAddress, secret: token }),
    ask: async ({ token }, count): Promise<Verification> => {
      const verified = await calls.verifySession({ sessionToken: token, count }, { deadlineMs: DEADLINE_MS });
      return { user: verifiedUser(verified), granted: verified.allowance?.granted ?? count };
    },
  });
