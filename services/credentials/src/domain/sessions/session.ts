/** A session of the settings page. */
export interface Session {
  /** SHA-256 of the token in base64url. */
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** When it ends whatever happens. */
  readonly expiresAt: Date;
}

/** Where sessions are kept. */
export interface SessionStore {
  readonly insert: (session: Session) => Promise<void>;
  readonly findById: (id: string) => Promise<Session | undefined>;
  /** Notes that the session was used, unless it ended meanwhile. */
  readonly touch: (session: Session, at: Date) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
  /** Ends all but the newest sessions of a user. */
  readonly keepNewest: (userId: string, count: number) => Promise<void>;
}

const HOUR_MS = 3_600_000;

/** Milliseconds that a session lasts at most. */
export const SESSION_MS = 12 * HOUR_MS;

/** Milliseconds without use after which a session ends. */
export const IDLE_MS = HOUR_MS;

/** Most sessions of one user at a time. */
export const MAX_SESSIONS = 20;

/** When the session ends if it is not used again. */
export const endOf = ({ expiresAt, lastSeenAt }: Pick<Session, 'expiresAt' | 'lastSeenAt'>): Date =>
  new Date(Math.min(expiresAt.getTime(), lastSeenAt.getTime() + IDLE_MS));
