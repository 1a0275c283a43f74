import { InvalidRequest, Unauthorized } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit/audit';
import { SetUpDone, UserExists } from '../errors';
import type { OpenedSession, OpenSession } from '../sessions/open-session';
import type { SignInLimit } from '../sessions/sign-in-limit';
import { normaliseEmail } from '../users/email';
import { loginErrors } from '../users/login-errors';
import { hashPassword } from '../users/password';
import type { User, UserStore } from '../users/user';
import { isSetUpCode } from './set-up-code';

/** What somebody shows to become the owner. */
export interface OwnerSetup {
  readonly email: string;
  readonly password: string;
  /** As it was typed. */
  readonly code: string;
  /** Where the request comes from; empty if it is not known. */
  readonly address: string;
}

/**
 * Makes the owner of an instance that has none and opens a session. Of requests at once, over all replicas, one wins.
 * @throws SetUpDone, InvalidRequest, Unauthorized, TooManySignIns, UserExists, Unavailable
 */
export type SetUpOwner = (setup: OwnerSetup) => Promise<OpenedSession>;

/** What setting up needs. */
export interface SetUpOwnerPorts {
  readonly users: Pick<UserStore, 'findOwner' | 'insert'>;
  readonly limit: SignInLimit;
  /** The right code. */
  readonly setUpCode: string;
  readonly openSession: OpenSession;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

const MAX_ADDRESS = 1_000;

/**
 * Attempts are counted for each address by itself: a stranger who guesses must not keep the owner out. No email has
 * this name, as emails are in lower case.
 */
const accountOf = (address: string): string => `SET-UP ${address}`;

const checkCode = async (
  { limit, setUpCode, recordAudit }: SetUpOwnerPorts,
  code: string,
  address: string,
): Promise<void> => {
  await limit.attempt(accountOf(address), address);
  if (!isSetUpCode(code, setUpCode)) {
    await recordAudit({ action: 'sign-in.failed', actor: 'unknown', about: { address: address.slice(0, 100) } });
    throw new Unauthorized(
      'The set-up code is wrong. It stands in the log of the credentials service, written when the service started.',
    );
  }
  await limit.succeeded(accountOf(address), address);
};

const makeOwner = async ({ users, newId, clock }: SetUpOwnerPorts, { email, password }: OwnerSetup): Promise<User> => {
  const owner = { id: newId(), email: normaliseEmail(email), role: 'owner', createdAt: clock() } as const;
  if (await users.insert({ ...owner, passwordHash: await hashPassword(password) })) return owner;
  throw (await users.findOwner()) === undefined ? new UserExists() : new SetUpDone();
};

/** Makes the use case. */
export const createSetUpOwner =
  (ports: SetUpOwnerPorts): SetUpOwner =>
  async (setup) => {
    if ((await ports.users.findOwner()) !== undefined) throw new SetUpDone();
    const faults = loginErrors(setup.email, setup.password);
    if (faults.length > 0) throw new InvalidRequest('The owner cannot be made.', faults);
    const address = setup.address.slice(0, MAX_ADDRESS);
    await checkCode(ports, setup.code, address);
    const owner = await makeOwner(ports, setup);
    await ports.recordAudit({ action: 'user.create', actor: owner.id, about: { userId: owner.id, role: owner.role } });
    return ports.openSession(owner, address);
  };
