import type { Principal, Role } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { ApiKey } from '../api-keys/api-key';
import type { ApiKeyUseCases } from '../api-keys/api-keys';
import type { AuditAction, RecordAudit } from '../audit';
import { LastOwner, UserBusy } from '../errors';
import type { SessionStore } from '../sessions/session';
import { checkMayAssign, checkMayManage } from './may-manage';
import { isActiveOwner, type User, type UserChange, type UserStore } from './user';
import { findUser, ROLE_ERROR } from './users';

/** Dependencies of the use cases. */
export interface ManagePorts {
  readonly users: Pick<UserStore, 'findById' | 'markLeaving' | 'unmarkLeaving' | 'hasStayingOwner' | 'change'>;
  readonly sessions: Pick<SessionStore, 'removeOf'>;
  readonly keys: Pick<ApiKeyUseCases, 'listApiKeys' | 'deleteApiKey'>;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Changes of users by those who manage them. */
export interface ManageUseCases {
  /** @throws InvalidRequest, UserNotFound, Forbidden, LastOwner, UserBusy */
  readonly changeUserRole: (actor: Principal, id: string, role: Role | undefined) => Promise<User>;
  /** Refuses the user from the next request on, everywhere. @throws UserNotFound, Forbidden, LastOwner, UserBusy */
  readonly lockUser: (actor: Principal, id: string) => Promise<User>;
  /** @throws UserNotFound, Forbidden, UserBusy */
  readonly unlockUser: (actor: Principal, id: string) => Promise<User>;
  /** Ends all sessions of a user; everybody may end their own. @throws UserNotFound, Forbidden */
  readonly signOutUser: (actor: Principal, id: string) => Promise<void>;
  /** @throws UserNotFound, Forbidden */
  readonly listUserApiKeys: (actor: Principal, id: string) => Promise<readonly ApiKey[]>;
  /** @throws UserNotFound, Forbidden, ApiKeyNotFound */
  readonly deleteUserApiKey: (actor: Principal, id: string, apiKeyId: string) => Promise<void>;
}

type OwnerPorts = Pick<ManagePorts, 'users' | 'newId'>;

/**
 * Changes a user so that it is no longer an active owner, if another one stays. Of owners who leave at the same moment,
 * each first marks itself and then looks for one without a mark: at most one finds the other staying. A mark that a
 * failure leaves behind lets nobody leave who should not; the next change of that user removes it.
 */
const changeLeaving = async ({ users, newId }: OwnerPorts, user: User, change: UserChange): Promise<boolean> => {
  const mark = newId();
  if (!(await users.markLeaving(user.id, mark))) return false;
  try {
    if (!(await users.hasStayingOwner(user.id))) throw new LastOwner(user.id);
    return await users.change(user, change, mark);
  } finally {
    await users.unmarkLeaving(user.id, mark);
  }
};

/** Changes a user as it was read. @throws LastOwner, UserBusy */
export const changeUser = async (ports: OwnerPorts, user: User, change: UserChange): Promise<User> => {
  const { role = user.role, lockedAt } = change;
  const { lockedAt: _, ...rest } = user;
  const since = lockedAt === undefined ? user.lockedAt : (lockedAt ?? undefined);
  const next: User = { ...rest, role, ...(since === undefined ? {} : { lockedAt: since }) };
  const isDone =
    isActiveOwner(user) && !isActiveOwner(next)
      ? await changeLeaving(ports, user, change)
      : await ports.users.change(user, change, undefined);
  if (!isDone) throw new UserBusy(user.id);
  return next;
};

/** Reads a user whom the actor manages. @throws UserNotFound, Forbidden */
export const findManaged = async (users: Pick<UserStore, 'findById'>, actor: Principal, id: string): Promise<User> => {
  const user = await findUser(users, id);
  checkMayManage(actor, user);
  return user;
};

/** The use cases over their ports. */
export const manageUseCases = (ports: ManagePorts): ManageUseCases => {
  const { users, sessions, keys, recordAudit, clock } = ports;
  const record = (action: AuditAction, actor: Principal, about: Readonly<Record<string, string>>): Promise<void> =>
    recordAudit({ action, actor: actor.userId, about });
  return {
    changeUserRole: async (actor, id, role) => {
      if (role === undefined) throw new InvalidRequest('The role cannot be changed.', [ROLE_ERROR]);
      const user = await findManaged(users, actor, id);
      checkMayAssign(actor, role);
      const changed = await changeUser(ports, user, { role });
      await record('user.change-role', actor, { userId: id, from: user.role, role });
      return changed;
    },
    lockUser: async (actor, id) => {
      const user = await findManaged(users, actor, id);
      const locked = user.lockedAt === undefined ? await changeUser(ports, user, { lockedAt: clock() }) : user;
      // They are refused already; unlocked again, the user signs in anew.
      await sessions.removeOf(id);
      await record('user.lock', actor, { userId: id });
      return locked;
    },
    unlockUser: async (actor, id) => {
      const unlocked = await changeUser(ports, await findManaged(users, actor, id), { lockedAt: null });
      await record('user.unlock', actor, { userId: id });
      return unlocked;
    },
    signOutUser: async (actor, id) => {
      if (actor.userId !== id) await findManaged(users, actor, id);
      await sessions.removeOf(id);
      await record('user.sign-out', actor, { userId: id });
    },
    listUserApiKeys: async (actor, id) => keys.listApiKeys((await findManaged(users, actor, id)).id),
    deleteUserApiKey: async (actor, id, apiKeyId) => {
      await keys.deleteApiKey(actor, (await findManaged(users, actor, id)).id, apiKeyId);
    },
  };
};
