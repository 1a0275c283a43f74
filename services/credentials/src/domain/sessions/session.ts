/** A session of the settings page. */
export interface Session {
  /** SHA-256 of the token in base64url. */
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** Maximum end of the session, even if it is in use. */
  readonly expiresAt: Date;
}

/** Store of sessions. */
export interface SessionStore {
  readonly insert: (session: Session) => Promise<void>;
  readonly findById: (id: string) => Promise<Session | undefined>;
  /** Updates the time of last use, unless the session was removed meanwhile. */
  readonly touch: (session: Session, at: Date) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  readonly removeOf: (userId: string) => Promise<void>;
  /** Removes all but the newest sessions of a user. */
  readonly keepNewest: (userId: string, count: number) => Promise<void>;
}

const HOUR_MS = 3_600_000;

/** Maximum duration of a session, in milliseconds. */
export const SESSION_MS = 12 * HOUR_MS;

/** Idle timeout of a session, in milliseconds. */
export const IDLE_MS = HOUR_MS;

/** Maximum concurrent sessions per user. */
export const MAX_SESSIONS = 20;

/** Time at which the session ends if it is not used again. */
export const endOf = ({ expiresAt, lastSeenAt }: Pick<Session, 'expiresAt' | 'lastSeenAt'>): Date =>
  new Date(Math.min(expiresAt.getTime(), lastSeenAt.getTime() + IDLE_MS));
