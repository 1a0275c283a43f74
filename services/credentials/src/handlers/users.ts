import { Role as RoleMessage, type User as UserMessage, type UserServiceService } from '@weft/proto/identity';
import type { Role } from '@weft/service-kit/auth';
import type { Handlers } from '@weft/service-kit/grpc';
import type { UseCases } from '../compose';
import type { User } from '../domain/users/user';
import { principalOf } from './access';

const ROLE_MESSAGES: Readonly<Record<Role, RoleMessage>> = {
  owner: RoleMessage.ROLE_OWNER,
  admin: RoleMessage.ROLE_ADMIN,
  editor: RoleMessage.ROLE_EDITOR,
  viewer: RoleMessage.ROLE_VIEWER,
};

const ROLES = new Map<RoleMessage, Role>([
  [RoleMessage.ROLE_OWNER, 'owner'],
  [RoleMessage.ROLE_ADMIN, 'admin'],
  [RoleMessage.ROLE_EDITOR, 'editor'],
  [RoleMessage.ROLE_VIEWER, 'viewer'],
]);

/** Converts a role. */
export const toRoleMessage = (role: Role): RoleMessage => ROLE_MESSAGES[role];

/** The role of a message; undefined when unspecified or unknown. */
const fromRoleMessage = (message: RoleMessage): Role | undefined => ROLES.get(message);

/** Converts a user; a password hash never gets out. */
export const toUserMessage = ({ id, email, role, createdAt }: User): UserMessage => ({
  id,
  email,
  role: toRoleMessage(role),
  createdAt,
});

/** Handlers of UserService. */
export const userHandlers = (useCases: UseCases): Handlers<typeof UserServiceService> => ({
  createUser: async ({ email, password, role }, context) => ({
    user: toUserMessage(
      await useCases.createUser(principalOf(context), { email, password, role: fromRoleMessage(role) }),
    ),
  }),
  listUsers: async (request) => {
    const { items, nextCursor } = await useCases.listUsers(request);
    return { users: items.map(toUserMessage), nextCursor };
  },
});
