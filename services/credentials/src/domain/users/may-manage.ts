import type { Principal, Role } from '@weft/service-kit/auth';
import { Forbidden } from '@weft/service-kit/errors';
import type { User } from '../ownership/user';

/** Roles whose users each role manages, and which it may assign. */
const MANAGED: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'editor', 'viewer'],
  admin: ['editor', 'viewer'],
  editor: [],
  viewer: [],
};

/** @throws Forbidden unless the actor may assign that role */
export const checkMayAssign = (actor: Principal, role: Role): void => {
  if (!MANAGED[actor.role].includes(role)) throw new Forbidden(`The role ${actor.role} may not give the role ${role}.`);
};

/** @throws Forbidden unless the actor manages users of this role */
export const checkMayManage = (actor: Principal, { id, role }: User): void => {
  if (!MANAGED[actor.role].includes(role))
    throw new Forbidden(`The role ${actor.role} may not manage users of the role ${role}.`, { userId: id });
};
