import { Unauthorized } from '@weft/service-kit/errors';
import type { User, UserStore } from '../users/user';
import { endOf, type SessionStore } from './session';
import { sessionIdOf } from './session-token';

/** The user of a session that has not ended. @throws Unauthorized */
export type VerifySession = (token: string) => Promise<User>;

/** What a verification needs. */
export interface VerifySessionPorts {
  readonly sessions: Pick<SessionStore, 'findById' | 'touch'>;
  readonly users: Pick<UserStore, 'findById'>;
  readonly clock: () => Date;
}

/** A session's use is noted no more often than this; the idle time is far longer. */
const TOUCH_MS = 60_000;

/** Makes the use case. */
export const createVerifySession =
  ({ sessions, users, clock }: VerifySessionPorts): VerifySession =>
  async (token) => {
    const id = sessionIdOf(token);
    const session = id === undefined ? undefined : await sessions.findById(id);
    const now = clock();
    if (session === undefined || endOf(session) <= now) throw new Unauthorized('The session is over. Sign in again.');
    const user = await users.findById(session.userId);
    if (user === undefined) throw new Unauthorized('The session is over. Sign in again.');
    if (now.getTime() - session.lastSeenAt.getTime() >= TOUCH_MS) await sessions.touch(session, now);
    return user;
  };
