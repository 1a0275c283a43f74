import { InvalidRequest, Unauthorized } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit';
import type { User, UserStore } from '../ownership/user';
import type { SessionStore } from '../sessions/session';
import type { OpenedSession, OpenSession } from '../sessions/sessions';
import type { Authenticate } from './authenticate';
import { passwordError } from './login';
import type { HashPassword } from './password';

/** A change by the signed-in user. */
export interface PasswordChange {
  /** Of the session from which it is made. */
  readonly token: string;
  readonly currentPassword: string;
  readonly newPassword: string;
  /** Address of the client; empty if unknown. */
  readonly address: string;
}

/**
 * Sets another password: who has only the session must not be able to take over the account. All sessions of the user
 * end, since others may have been opened with the old password; the one that is returned takes the place of this one.
 * @throws Unauthorized if the session has ended; InvalidRequest, TooManySignIns, Unavailable
 */
export type ChangePassword = (change: PasswordChange) => Promise<OpenedSession>;

interface ChangePorts {
  /** The user of a session. @throws Unauthorized */
  readonly findUser: (token: string) => Promise<User>;
  readonly users: Pick<UserStore, 'setPassword'>;
  readonly sessions: Pick<SessionStore, 'removeOf'>;
  readonly authenticate: Authenticate;
  readonly hashPassword: HashPassword;
  readonly openSession: OpenSession;
  readonly recordAudit: RecordAudit;
}

const refused = (field: string, message: string, shown: string): InvalidRequest =>
  new InvalidRequest(shown, [{ field, message }]);

export const createChangePassword = (ports: ChangePorts): ChangePassword =>
  async function changePassword({ token, currentPassword, newPassword, address }) {
    const user = await ports.findUser(token);
    const message = passwordError(newPassword);
    if (message !== undefined) throw refused('newPassword', message, `The new password ${message}`);
    if (newPassword === currentPassword)
      throw refused('newPassword', 'must be another one.', 'The new password is the current one.');
    await ports.authenticate({ email: user.email, password: currentPassword, address }).catch((error: unknown) => {
      if (!(error instanceof Unauthorized)) throw error;
      throw refused('currentPassword', 'is wrong.', 'The current password is wrong.');
    });
    const passwordHash = await ports.hashPassword(newPassword);
    if (!(await ports.users.setPassword(user.id, passwordHash))) throw new Unauthorized('The user does not exist.');
    await ports.sessions.removeOf(user.id);
    await ports.recordAudit({ action: 'user.set-password', actor: user.id, about: { userId: user.id } });
    return ports.openSession(user, address);
  };
