import type { Authenticate, Login } from '../users/authenticate';
import type { OpenedSession, OpenSession } from './open-session';

/** Opens a session. @throws Unauthorized, TooManySignIns */
export type SignIn = (login: Login) => Promise<OpenedSession>;

/** What signing in needs. */
export interface SignInPorts {
  readonly authenticate: Authenticate;
  readonly openSession: OpenSession;
}

/** Makes the use case. */
export const createSignIn =
  ({ authenticate, openSession }: SignInPorts): SignIn =>
  async (login) =>
    openSession(await authenticate(login), login.address);
