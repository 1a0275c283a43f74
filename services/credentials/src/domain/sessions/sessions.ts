import { Unauthorized } from '@weft/service-kit/errors';
import type { Allowance, CountRequests } from '../api-keys/rate-window';
import type { RecordAudit } from '../audit';
import type { Authenticate, Login } from '../users/authenticate';
import type { User, UserStore } from '../ownership/user';
import { makeToken, tokenHashOf } from '../token';
import { endOf, MAX_SESSIONS, SESSION_MS, type SessionStore } from './session';

/** A session that was opened. */
export interface OpenedSession {
  /** Opaque; only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
  readonly user: User;
}

export interface OpenSessionPorts {
  readonly sessions: Pick<SessionStore, 'insert' | 'keepNewest'>;
  readonly recordAudit: RecordAudit;
  readonly clock: () => Date;
}

/**
 * Opens a session of an authenticated user.
 * @param address of the client; empty if unknown
 * @param issuer of the provider that identified the user; absent: a password or link did
 */
export type OpenSession = (user: User, address: string, issuer?: string) => Promise<OpenedSession>;

export const createOpenSession = ({ sessions, recordAudit, clock }: OpenSessionPorts): OpenSession =>
  async function openSession(user, address, issuer) {
    const { token, hash: id } = makeToken();
    const now = clock();
    const expiresAt = new Date(now.getTime() + SESSION_MS);
    await sessions.insert({ id, userId: user.id, createdAt: now, lastSeenAt: now, expiresAt });
    await sessions.keepNewest(user.id, MAX_SESSIONS);
    const about = { address: address.slice(0, 100), ...(issuer === undefined ? {} : { issuer }) };
    await recordAudit({ action: 'sign-in', actor: user.id, about });
    return { token, expiresAt, user };
  };

export interface SessionPorts {
  readonly sessions: Pick<SessionStore, 'findById' | 'touch' | 'remove'>;
  readonly users: Pick<UserStore, 'findById'>;
  readonly authenticate: Authenticate;
  readonly openSession: OpenSession;
  readonly recordAudit: RecordAudit;
  readonly countRequests: CountRequests;
  readonly clock: () => Date;
}

/** The user of a session, and how many of its counted requests are within the limit. */
export interface VerifiedSession {
  readonly user: User;
  /** Absent: nothing was counted. */
  readonly allowance?: Allowance;
}

/** Use cases of sessions. */
export interface SessionUseCases {
  /** @throws Unauthorized, TooManySignIns */
  readonly signIn: (login: Login) => Promise<OpenedSession>;
  /**
   * Finds the user of a session that has not ended.
   * @param count requests to count against the limit of the session; absent: none
   * @throws Unauthorized
   */
  readonly verifySession: (token: string, count?: number) => Promise<VerifiedSession>;
  /** Ends a session; does nothing if it has ended. */
  readonly signOut: (token: string) => Promise<void>;
}

/** Minimum interval between two updates of a session's last use, much shorter than the idle timeout. */
const TOUCH_MS = 60_000;

/** Requests per minute that the console may send with one session. */
export const SESSION_REQUESTS_PER_MINUTE = 600;

const ended = (): Unauthorized => new Unauthorized('The session has ended. Sign in again.');

export const sessionUseCases = (ports: SessionPorts): SessionUseCases => {
  const { sessions, users, authenticate, openSession, recordAudit, countRequests, clock } = ports;
  return {
    signIn: async (login) => openSession(await authenticate(login), login.address),
    verifySession: async (token, count) => {
      const id = tokenHashOf(token);
      const session = id === undefined ? undefined : await sessions.findById(id);
      const now = clock();
      if (session === undefined || endOf(session) <= now) throw ended();
      const [user, allowance] = await Promise.all([
        users.findById(session.userId),
        count === undefined ? undefined : countRequests(`session:${session.id}`, count),
      ]);
      if (user === undefined || user.lockedAt !== undefined) throw ended();
      if (now.getTime() - session.lastSeenAt.getTime() >= TOUCH_MS) await sessions.touch(session, now);
      return { user, ...(allowance === undefined ? {} : { allowance }) };
    },
    signOut: async (token) => {
      const id = tokenHashOf(token);
      const session = id === undefined ? undefined : await sessions.findById(id);
      if (id === undefined || session === undefined) return;
      await sessions.remove(id);
      await recordAudit({ action: 'user.sign-out', actor: session.userId, about: { userId: session.userId } });
    },
  };
};
