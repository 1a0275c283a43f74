import type { Principal, Role } from '@weft/service-kit/auth';
import { Forbidden, InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { RecordAudit } from '../audit';
import { UserExists } from '../errors';
import { loginErrors, normaliseEmail } from './login';
import { hashPassword } from './password';
import type { User, UserStore } from './user';

/** Fields of a new user. */
export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly role: Role | undefined;
}

/** Dependencies of the use cases. */
export interface UserPorts {
  readonly users: Pick<UserStore, 'insert' | 'page'>;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Management of users. */
export interface UserUseCases {
  /** @throws InvalidRequest, Forbidden, UserExists */
  readonly createUser: (creator: Principal, fields: NewUser) => Promise<User>;
  /** @throws InvalidRequest */
  readonly listUsers: (params: PageParams) => Promise<Page<User>>;
}

const fieldErrors = ({ email, password, role }: NewUser): FieldError[] => [
  ...loginErrors(email, password),
  ...(role === undefined ? [{ field: 'role', message: 'must be one of admin, editor, viewer.' }] : []),
];

/** An instance has one owner, and only the owner creates admins. */
const checkMayCreate = (creator: Principal, role: Role): void => {
  if (role === 'owner') throw new Forbidden('An instance has one owner; a second one cannot be created.');
  if (role === 'admin' && creator.role !== 'owner') throw new Forbidden('Only the owner can create admins.');
};

/** The use cases over their ports. */
export const userUseCases = ({ users, recordAudit, newId, clock }: UserPorts): UserUseCases => ({
  createUser: async (creator, fields) => {
    const errors = fieldErrors(fields);
    const { role } = fields;
    if (errors.length > 0 || role === undefined) throw new InvalidRequest('The user cannot be created.', errors);
    checkMayCreate(creator, role);
    const user = { id: newId(), email: normaliseEmail(fields.email), role, createdAt: clock() };
    if (!(await users.insert({ ...user, passwordHash: await hashPassword(fields.password) }))) throw new UserExists();
    await recordAudit({ action: 'user.create', actor: creator.userId, about: { userId: user.id, role } });
    return user;
  },
  listUsers: (params) => readPage({ read: users.page, idOf: ({ id }) => id }, params),
});
