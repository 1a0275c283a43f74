import type { SessionStore } from './session';
import { sessionIdOf } from './session-token';

/** Ends a session; one that is over already stays so. */
export type SignOut = (token: string) => Promise<void>;

/** Makes the use case. */
export const createSignOut =
  ({ remove }: Pick<SessionStore, 'remove'>): SignOut =>
  async (token) => {
    const id = sessionIdOf(token);
    if (id !== undefined) await remove(id);
  };
