import type { User } from '@weft/client';

export type Role = User['role'];

/** Roles of users that a role manages, and may give. */
const MANAGED: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'editor', 'viewer'],
  admin: ['editor', 'viewer'],
  editor: [],
  viewer: [],
};

/** Roles that the caller may give, the strongest first. */
export const givenBy = (role: Role | undefined): readonly Role[] => (role === undefined ? [] : MANAGED[role]);

/** True if a caller with one role manages users with the other. */
export const manages = (role: Role | undefined, other: Role): boolean => givenBy(role).includes(other);
