/** Role of a user; a key has the role of its user, narrowed by its scopes if it has any. */
export type Role = 'owner' | 'admin' | 'editor' | 'viewer';

/** Permission that an operation requires. */
export type Permission =
  | 'workflows:read'
  | 'workflows:write'
  | 'executions:read'
  | 'executions:write'
  | 'credentials:read'
  | 'credentials:write'
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
const MANAGE = [...WRITE, 'audit:read', 'users:manage'] as const;

/**
 * Permissions of each role. Those of editors over projects and credentials reach no further than the projects that they
 * are admins of: the credentials service looks that up, as it is stored, for each call. docs/guides/roles.md shows
 * them; a test compares the two.
 */
export const ROLE_PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  owner: MANAGE,
  admin: MANAGE,
  editor: WRITE,
  viewer: READ,
};

/**
 * Permissions that an API key may be limited to. Those over users, members of projects and keys are missing: with them
 * a key could make itself a wider one.
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

/** A permission that an API key may be limited to. */
export type Scope = (typeof SCOPES)[number];

/** A user on whose behalf a call is made. */
export interface Principal {
  readonly userId: string;
  readonly role: Role;
  /** Scopes of the API key with which the user calls; absent: all that the role permits. */
  readonly scopes?: readonly Scope[];
  /** Ids of the projects whose contents the user may change, as admin or editor of them; absent: none. */
  readonly projects?: readonly string[];
  /** Ids of further projects that the user is a member of, as viewer of them; absent: none. */
  readonly reads?: readonly string[];
  /**
   * It is a run that acts for the user. What it reads stays in its run data, for others to read: closed projects are
   * closed to it whoever it acts for, unless that is the project itself.
   */
  readonly inRun?: true;
}

/** The projects of a principal, those that it changes and those that it only reads; without any, it has no field. */
export const projectsOf = (
  projectIds: readonly string[],
  readProjectIds: readonly string[],
): Pick<Principal, 'projects' | 'reads'> => ({
  ...(projectIds.length === 0 ? {} : { projects: projectIds }),
  ...(readProjectIds.length === 0 ? {} : { reads: readProjectIds }),
});

/** True if a role has a permission. */
export const isPermitted = (role: Role, permission: Permission): boolean => ROLE_PERMISSIONS[role].includes(permission);

/** True if a caller may do what needs a permission: the role has it, and so has the key if it is limited. */
export const mayDo = ({ role, scopes }: Principal, permission: Permission): boolean =>
  isPermitted(role, permission) && (scopes === undefined || scopes.some((scope) => scope === permission));

/** The scope of that name; undefined if there is none. */
export const scopeOf = (name: string): Scope | undefined => SCOPES.find((scope) => scope === name);

/**
 * True if a user may change what `ownerId` owns, which is a user or a project: owners and admins everything, others
 * what they own and what belongs to their projects. What the role permits at all is asked before, by `mayDo`.
 */
export const mayChange = ({ userId, role, projects = [] }: Principal, ownerId: string): boolean =>
  role === 'owner' || role === 'admin' || userId === ownerId || projects.includes(ownerId);

const ROLES: readonly Role[] = ['owner', 'admin', 'editor', 'viewer'];

/** The role of that name; undefined if there is none. */
export const roleOf = (name: string): Role | undefined => ROLES.find((role) => role === name);
