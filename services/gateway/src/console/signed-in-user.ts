import { type FailureLimit, projectsOf } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import { roleNameOf } from '@weft/service-kit/identity';
import type { Clients } from '../clients';
import type { SignedIn } from './page-handler';

interface SessionOptions {
  readonly options: { readonly clients: Pick<Clients, 'identity'> };
  /** Limits wrong session tokens like wrong keys. */
  readonly wrongSessions: FailureLimit;
}

/** The user of a session. @throws Unauthorized unless the session is valid */
export const signedInUser = async (
  sessionToken: string | undefined,
  client: string,
  { options, wrongSessions }: SessionOptions,
): Promise<SignedIn> => {
  if (sessionToken === undefined) throw new Unauthorized('Not signed in.');
  const { sessions } = options.clients.identity;
  const { user, projectIds, readProjectIds } = await wrongSessions.check(client, sessionToken, () =>
    sessions.verifySession({ sessionToken }),
  );
  if (user === undefined) throw new Unauthorized('The session has ended. Sign in again.');
  return { userId: user.id, email: user.email, role: roleNameOf(user.role), ...projectsOf(projectIds, readProjectIds) };
};
