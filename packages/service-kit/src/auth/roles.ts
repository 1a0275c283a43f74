/** Role of a user. A key has the role of its user, narrowed by its scopes if it has any. */
export type Role = 'owner' | 'admin' | 'editor' | 'viewer';

/** Permission that an operation requires. */
export type Permission =
  | 'workflows:read'
  | 'workflows:write'
  | 'executions:read'
  | 'executions:write'
  | 'credentials:read'
  | 'credentials:write'
  | 'apps:manage'
  | 'audit:read'
  | 'users:manage'
  | 'projects:manage'
  | 'keys:own';

const READ = ['workflows:read', 'executions:read', 'keys:own'] as const;
const WRITE = [
  ...READ,
  'workflows:write',
  'executions:write',
  'projects:manage',
  'credentials:read',
  'credentials:write',
] as const;
const MANAGE = [...WRITE, 'apps:manage', 'audit:read', 'users:manage'] as const;

/**
 * Permissions of each role. Editors have permissions over projects and credentials only in projects that they are
 * admins of; the credentials service checks the stored membership on each call. A test compares this table with
 * docs/guides/roles.md.
 */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: MANAGE,
  admin: MANAGE,
  editor: WRITE,
  viewer: READ,
};

/**
 * Permissions that an API key can be limited to. Permissions over users, project members and keys are missing because a
 * key could use them to create one with more permissions; those over apps, because an app decides what nodes send.
 */
export const SCOPES = [
  'workflows:read',
  'workflows:write',
  'executions:read',
  'executions:write',
  'credentials:read',
  'credentials:write',
  'audit:read',
] as const;

export type Scope = (typeof SCOPES)[number];

/** A user on whose behalf a call is made. */
export interface Principal {
  readonly userId: string;
  readonly role: Role;
  /** Scopes of the API key used for the call; absent: everything the role permits. */
  readonly scopes?: readonly Scope[];
  /** Ids of the projects that the user may change as an admin or editor; absent: none. */
  readonly projects?: readonly string[];
  /** Ids of the projects that the user may only read, as a viewer; absent: none. */
  readonly reads?: readonly string[];
  /** The verified API key; absent if none was used. Tokens between services do not contain it. */
  readonly keyId?: string;
  /**
   * True for a run that acts for the user. Everything it reads ends up in its run data, where others can read it, so
   * closed projects are closed to it even if the user is a member, except for its own project.
   */
  readonly inRun?: true;
}

/** The project fields of a principal: those it may change and those it may only read. Empty lists are left out. */
export const projectsOf = (
  projectIds: readonly string[],
  readProjectIds: readonly string[],
): Pick<Principal, 'projects' | 'reads'> => ({
  ...(projectIds.length === 0 ? {} : { projects: projectIds }),
  ...(readProjectIds.length === 0 ? {} : { reads: readProjectIds }),
});

export const isPermitted = (role: Role, permission: Permission): boolean => ROLE_PERMISSIONS[role].includes(permission);

/** True if the caller has a permission: the role has it, and so does the key if it is limited. */
export const mayDo = ({ role, scopes }: Principal, permission: Permission): boolean =>
  isPermitted(role, permission) && (scopes === undefined || scopes.some((scope) => scope === permission));

/** All permissions of the caller. */
export const permissionsOf = (principal: Principal): readonly Permission[] =>
  ROLE_PERMISSIONS[principal.role].filter((permission) => mayDo(principal, permission));

/** The scope with this name; undefined if there is none. */
export const scopeOf = (name: string): Scope | undefined => SCOPES.find((scope) => scope === name);

/**
 * True if a user may change an object owned by `ownerId`, a user or a project. Owners and admins may change everything,
 * others what they own and what belongs to their projects. `mayDo` checks beforehand whether the role permits the
 * operation at all.
 */
export const mayChange = ({ userId, role, projects = [] }: Principal, ownerId: string): boolean =>
  role === 'owner' || role === 'admin' || userId === ownerId || projects.includes(ownerId);

const ROLES: readonly Role[] = ['owner', 'admin', 'editor', 'viewer'];

/** The role with this name; undefined if there is none. */
export const roleOf = (name: string): Role | undefined => ROLES.find((role) => role === name);
