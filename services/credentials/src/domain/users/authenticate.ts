import { clientBlock } from '@weft/service-kit/auth';
import { Unauthorized } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit';
import type { SignInLimit } from './sign-in-limit';
import { normaliseEmail } from './login';
import { matchesPassword, NO_PASSWORD } from './password';
import type { User, UserStore } from '../ownership/user';

export interface AuthenticatePorts {
  readonly users: Pick<UserStore, 'findByEmail'>;
  readonly limit: SignInLimit;
  readonly recordAudit: RecordAudit;
}

/** Attempt to sign in. */
export interface Login {
  readonly email: string;
  readonly password: string;
  /** Address of the client; empty if unknown. */
  readonly address: string;
}

/**
 * Finds the user with an email and password. An unknown email and a locked user take as long as a wrong password, and
 * get the same error.
 * @throws Unauthorized, TooManySignIns, Unavailable
 */
export type Authenticate = (login: Login) => Promise<User>;

const MAX_LENGTH = 1_000;

export const createAuthenticate = ({ users, limit, recordAudit }: AuthenticatePorts): Authenticate =>
  async function authenticate(login) {
    const email = normaliseEmail(login.email.slice(0, MAX_LENGTH));
    const address = clientBlock(login.address.slice(0, MAX_LENGTH));
    if (login.password.length > MAX_LENGTH) throw new Unauthorized('Email or password is wrong.');
    await limit.attempt(email, address);
    const stored = await users.findByEmail(email);
    const isRight = await matchesPassword(login.password, stored?.passwordHash ?? NO_PASSWORD, address);
    if (stored === undefined || stored.lockedAt !== undefined || !isRight) {
      await recordAudit({
        action: 'sign-in.failed',
        actor: stored?.id ?? 'unknown',
        about: { address },
        outcome: 'refused',
      });
      throw new Unauthorized('Email or password is wrong.');
    }
    await limit.succeeded(email, address);
    const { passwordHash: _, ...user } = stored;
    return user;
  };
