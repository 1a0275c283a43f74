import type { Principal, Role } from '@weft/service-kit/auth';
import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { readPage, type Page, type PageParams } from '@weft/service-kit/paging';
import type { RecordAudit } from '../audit';
import { UserExists, UserNotFound } from '../errors';
import { loginErrors, normaliseEmail } from './login';
import { checkMayAssign } from './may-manage';
import type { HashPassword } from './password';
import type { User, UserStore } from '../ownership/user';

/** Fields of a new user. */
export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly role: Role | undefined;
  /** Its id; undefined: a new one. */
  readonly id?: string | undefined;
}

export interface UserPorts {
  readonly users: Pick<UserStore, 'insert' | 'page' | 'findById'>;
  readonly hashPassword: HashPassword;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Creating and reading users. */
export interface UserUseCases {
  /** @throws InvalidRequest, Forbidden, UserExists */
  readonly createUser: (creator: Principal, fields: NewUser) => Promise<User>;
  /** @throws UserNotFound */
  readonly getUser: (id: string) => Promise<User>;
  /** @throws InvalidRequest */
  readonly listUsers: (params: PageParams) => Promise<Page<User>>;
}

/** The error for a missing or unknown role. */
export const ROLE_ERROR: FieldError = { field: 'role', message: 'must be one of owner, admin, editor, viewer.' };

/** Reads a user. @throws UserNotFound */
export const findUser = async (users: Pick<UserStore, 'findById'>, id: string): Promise<User> => {
  const found = isUuid(id) ? await users.findById(id) : undefined;
  if (found === undefined) throw new UserNotFound(id);
  return found;
};

const fieldErrors = ({ email, password, role }: NewUser): FieldError[] => [
  ...loginErrors(email, password),
  ...(role === undefined ? [ROLE_ERROR] : []),
];

export const userUseCases = ({ users, hashPassword, recordAudit, newId, clock }: UserPorts): UserUseCases => ({
  createUser: async (creator, fields) => {
    const errors = fieldErrors(fields);
    const { role } = fields;
    if (errors.length > 0 || role === undefined) throw new InvalidRequest('The user cannot be created.', errors);
    checkMayAssign(creator, role);
    const user = { id: fields.id ?? newId(), email: normaliseEmail(fields.email), role, createdAt: clock() };
    if (!(await users.insert({ ...user, passwordHash: await hashPassword(fields.password) }))) throw new UserExists();
    await recordAudit({ action: 'user.create', actor: creator.userId, about: { userId: user.id, role } });
    return user;
  },
  getUser: (id) => findUser(users, id),
  listUsers: (params) => readPage({ read: users.page, idOf: ({ id }) => id }, params),
});
