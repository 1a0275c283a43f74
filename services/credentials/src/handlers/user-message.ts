import { Role as RoleMessage, type User as UserMessage } from '@weft/proto/identity';
import type { Role } from '@weft/service-kit/auth';
import type { User } from '../domain/ownership/user';

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

/** The role of a message; undefined if unspecified or unknown. */
export const fromRoleMessage = (message: RoleMessage): Role | undefined => ROLES.get(message);

/** Converts a user without its password hash. */
export const toUserMessage = ({ id, email, role, name = '', createdAt, lockedAt }: User): UserMessage => ({
  id,
  email,
  role: toRoleMessage(role),
  createdAt,
  lockedAt,
  name,
});
