import { InvalidRequest, Unauthorized } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit';
import { SetUpDone, UserExists } from '../errors';
import type { OpenedSession, OpenSession } from '../sessions/sessions';
import type { SignInLimit } from '../users/sign-in-limit';
import { loginErrors, normaliseEmail } from '../users/login';
import type { HashPassword } from '../users/password';
import type { User, UserStore } from '../ownership/user';
import { isSetUpCode } from './set-up-code';

/** Request to become the owner. */
export interface OwnerSetup {
  readonly email: string;
  readonly password: string;
  /** As typed. */
  readonly code: string;
  /** Address of the client; empty if unknown. */
  readonly address: string;
}

export interface SetUpPorts {
  readonly users: Pick<UserStore, 'findOwner' | 'insertFirstOwner'>;
  readonly limit: SignInLimit;
  /** The correct code. */
  readonly setUpCode: string;
  readonly openSession: OpenSession;
  readonly hashPassword: HashPassword;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Creation of the first owner on the settings page. */
export interface SetUpUseCases {
  /** True if setUpOwner is available: as long as no owner exists. */
  readonly isSetupOpen: () => Promise<boolean>;
  /**
   * Creates the owner of an instance without one and opens a session. Of concurrent requests across all replicas, one
   * succeeds.
   * @throws SetUpDone, InvalidRequest, Unauthorized, TooManySignIns, UserExists, Unavailable
   */
  readonly setUpOwner: (setup: OwnerSetup) => Promise<OpenedSession>;
}

const MAX_ADDRESS_LENGTH = 1_000;

/**
 * Attempts are counted per address, so that a guessing stranger cannot lock the owner out. Cannot equal the name of an
 * account, because emails are in lower case.
 */
const accountOf = (address: string): string => `SET-UP ${address}`;

const checkCode = async (
  { limit, setUpCode, recordAudit }: SetUpPorts,
  code: string,
  address: string,
): Promise<void> => {
  await limit.attempt(accountOf(address), address);
  if (!isSetUpCode(code, setUpCode)) {
    await recordAudit({
      action: 'sign-in.failed',
      actor: 'unknown',
      about: { address: address.slice(0, 100) },
      outcome: 'refused',
    });
    throw new Unauthorized(
      'The set-up code is wrong. The credentials service writes the right one to its log when it starts.',
    );
  }
  await limit.succeeded(accountOf(address), address);
};

const createOwner = async (ports: SetUpPorts, { email, password }: OwnerSetup): Promise<User> => {
  const { users, hashPassword, newId, clock } = ports;
  const owner = { id: newId(), email: normaliseEmail(email), role: 'owner', createdAt: clock() } as const;
  if (await users.insertFirstOwner({ ...owner, passwordHash: await hashPassword(password) })) return owner;
  throw (await users.findOwner()) === undefined ? new UserExists() : new SetUpDone();
};

export const setUpUseCases = (ports: SetUpPorts): SetUpUseCases => {
  const isSetupOpen = async (): Promise<boolean> => (await ports.users.findOwner()) === undefined;
  return {
    isSetupOpen,
    setUpOwner: async (setup) => {
      if (!(await isSetupOpen())) throw new SetUpDone();
      const fieldErrors = loginErrors(setup.email, setup.password);
      if (fieldErrors.length > 0) throw new InvalidRequest('The owner cannot be created.', fieldErrors);
      const address = setup.address.slice(0, MAX_ADDRESS_LENGTH);
      await checkCode(ports, setup.code, address);
      const owner = await createOwner(ports, setup);
      await ports.recordAudit({
        action: 'user.create',
        actor: owner.id,
        about: { userId: owner.id, role: owner.role },
      });
      return ports.openSession(owner, address);
    },
  };
};
