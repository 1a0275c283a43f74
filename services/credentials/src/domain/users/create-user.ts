import type { Principal, Role } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import type { RecordAudit } from '../audit/audit';
import { UserExists } from '../errors';
import { normaliseEmail } from './email';
import { loginErrors } from './login-errors';
import { hashPassword } from './password';
import type { User, UserStore } from './user';

/** What a new user is made of. */
export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly role: Role | undefined;
}

/** What making users needs. */
export interface CreateUserPorts {
  readonly users: Pick<UserStore, 'insert'>;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Makes a user. @throws InvalidRequest, Forbidden, UserExists */
export type CreateUser = (maker: Principal, given: NewUser) => Promise<User>;

const faultsOf = ({ email, password, role }: NewUser): FieldError[] => [
  ...loginErrors(email, password),
  ...(role === undefined ? [{ field: 'role', message: 'Give one of admin, editor, viewer.' }] : []),
];

/** An instance has one owner, and admins come from the owner alone. */
const checkMayMake = (maker: Principal, role: Role): void => {
  if (role === 'owner') throw new Forbidden('An instance has one owner, and no second one can be made.');
  if (role === 'admin' && maker.role !== 'owner') throw new Forbidden('Only the owner can make admins.');
};

/** Makes the use case. */
export const createCreateUser =
  ({ users, recordAudit, newId, clock }: CreateUserPorts): CreateUser =>
  async (maker, given) => {
    const faults = faultsOf(given);
    if (faults.length > 0 || given.role === undefined) throw new InvalidRequest('The user cannot be made.', faults);
    checkMayMake(maker, given.role);
    const user = { id: newId(), email: normaliseEmail(given.email), role: given.role, createdAt: clock() };
    if (!(await users.insert({ ...user, passwordHash: await hashPassword(given.password) }))) throw new UserExists();
    await recordAudit({ action: 'user.create', actor: maker.userId, about: { userId: user.id, role: user.role } });
    return user;
  };
