/** Role of a user; a key has the role of its user. */
export type Role = 'owner' | 'admin' | 'editor' | 'viewer';

/** Permission that an operation requires. */
export type Permission =
  | 'workflows:read'
  | 'workflows:write'
  | 'executions:read'
  | 'executions:write'
  | 'credentials:manage'
  | 'users:manage'
  | 'keys:own';

const READ = ['workflows:read', 'executions:read', 'keys:own'] as const;
const WRITE = [...READ, 'workflows:write', 'executions:write'] as const;
const MANAGE = [...WRITE, 'credentials:manage', 'users:manage'] as const;

/** Permissions of each role. docs/guides/roles.md shows them; a test compares the two. */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: MANAGE,
  admin: MANAGE,
  editor: WRITE,
  viewer: READ,
};

/** A user on whose behalf a call is made. */
export interface Principal {
  readonly userId: string;
  readonly role: Role;
}

/** True if a role has a permission. */
export const isPermitted = (role: Role, permission: Permission): boolean => ROLE_PERMISSIONS[role].includes(permission);

/** True if a user may change what `ownerId` owns: owners and admins everything, others what they own. */
export const mayChange = (principal: Principal, ownerId: string): boolean =>
  principal.role === 'owner' || principal.role === 'admin' || principal.userId === ownerId;

const ROLES: readonly Role[] = ['owner', 'admin', 'editor', 'viewer'];

/** The role of that name; undefined if there is none. */
export const roleOf = (name: string): Role | undefined => ROLES.find((role) => role === name);
