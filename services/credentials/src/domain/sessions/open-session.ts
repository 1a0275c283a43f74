import type { RecordAudit } from '../audit/audit';
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

/**
 * Opens a session of a user who proved to be one.
 * @param address where the request comes from; empty if it is not known.
 */
export type OpenSession = (user: User, address: string) => Promise<OpenedSession>;

/** What opening a session needs. */
export interface OpenSessionPorts {
  readonly sessions: Pick<SessionStore, 'insert' | 'keepNewest'>;
  readonly recordAudit: RecordAudit;
  readonly clock: () => Date;
}

/** Makes the function. */
export const createOpenSession =
  ({ sessions, recordAudit, clock }: OpenSessionPorts): OpenSession =>
  async (user, address) => {
    const { token, id } = makeSessionToken();
    const now = clock();
    const expiresAt = new Date(now.getTime() + SESSION_MS);
    await sessions.insert({ id, userId: user.id, createdAt: now, lastSeenAt: now, expiresAt });
    await sessions.keepNewest(user.id, MAX_SESSIONS);
    await recordAudit({ action: 'sign-in', actor: user.id, about: { address: address.slice(0, 100) } });
    return { token, expiresAt, user };
  };
