import type { RecordAudit } from '../audit/audit';
import type { Authenticate, Login } from '../users/authenticate';
import type { User } from '../users/user';
import { MAX_SESSIONS, SESSION_MS, type SessionStore } from './session';
import { makeSessionToken } from './session-token';

/** A session that was opened. */
export interface OpenedSession {
  /** Opaque; nothing of it is stored. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly user: User;
}

/** Opens a session. @throws Unauthorized, TooManySignIns */
export type SignIn = (login: Login) => Promise<OpenedSession>;

/** What signing in needs. */
export interface SignInPorts {
  readonly authenticate: Authenticate;
  readonly sessions: Pick<SessionStore, 'insert' | 'keepNewest'>;
  readonly recordAudit: RecordAudit;
  readonly clock: () => Date;
}

/** Makes the use case. */
export const createSignIn = ({ authenticate, sessions, recordAudit, clock }: SignInPorts): SignIn => async (login) => {
  const user = await authenticate(login);
  const { token, id } = makeSessionToken();
  const now = clock();
  const expiresAt = new Date(now.getTime() + SESSION_MS);
  await sessions.insert({ id, userId: user.id, createdAt: now, lastSeenAt: now, expiresAt });
  await sessions.keepNewest(user.id, MAX_SESSIONS);
  await recordAudit({ action: 'sign-in', actor: user.id, about: { address: login.address.slice(0, 100) } });
  return { token, expiresAt, user };
};
