import { Unauthorized } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit/audit';
import type { SignInLimit } from '../sessions/sign-in-limit';
import { normaliseEmail } from './email';
import { matchesPassword, NO_PASSWORD } from './password';
import type { User, UserStore } from './user';

/** What a check of a password needs. */
export interface AuthenticatePorts {
  readonly users: Pick<UserStore, 'findByEmail'>;
  readonly limit: SignInLimit;
  readonly recordAudit: RecordAudit;
}

/** What somebody shows to sign in. */
export interface Login {
  readonly email: string;
  readonly password: string;
  /** Where the attempt comes from; empty if it is not known. */
  readonly address: string;
}

/**
 * The user of an email and a password. An unknown email takes as long and is told the same as a wrong password.
 * @throws Unauthorized, TooManySignIns, Unavailable
 */
export type Authenticate = (login: Login) => Promise<User>;

const MAX_LENGTH = 1_000;

/** Makes the check. */
export const createAuthenticate =
  ({ users, limit, recordAudit }: AuthenticatePorts): Authenticate =>
  async (login) => {
    const email = normaliseEmail(login.email.slice(0, MAX_LENGTH));
    const address = login.address.slice(0, MAX_LENGTH);
    if (login.password.length > MAX_LENGTH) throw new Unauthorized('Email or password is wrong.');
    await limit.attempt(email, address);
    const stored = await users.findByEmail(email);
    const isRight = await matchesPassword(login.password, stored?.passwordHash ?? NO_PASSWORD);
    if (stored === undefined || !isRight) {
      await recordAudit({ action: 'sign-in.failed', actor: stored?.id ?? 'unknown', about: { address } });
      throw new Unauthorized('Email or password is wrong.');
    }
    await limit.succeeded(email, address);
    const { passwordHash: _, ...user } = stored;
    return user;
  };
