import type { Principal, Role } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { ApiKey } from '../api-keys/api-key';
import type { ApiKeyUseCases } from '../api-keys/api-keys';
import type { AuditAction, RecordAudit } from '../audit';
import type { SessionStore } from '../sessions/session';
import { changeUser, findManaged } from '../users/change-user';
import { checkMayAssign } from '../users/may-manage';
import type { User, UserStore } from '../ownership/user';
import { ROLE_ERROR } from '../users/users';

export interface ManagePorts {
  readonly users: Pick<UserStore, 'findById' | 'markLeaving' | 'unmarkLeaving' | 'hasStayingOwner' | 'change'>;
  readonly sessions: Pick<SessionStore, 'removeOf'>;
  readonly keys: Pick<ApiKeyUseCases, 'listApiKeys' | 'deleteApiKey'>;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** Changes of users by their managers. */
export interface ManageUseCases {
  /** @throws InvalidRequest, UserNotFound, Forbidden, LastOwner, UserBusy */
  readonly changeUserRole: (actor: Principal, id: string, role: Role | undefined) => Promise<User>;
  /** Refuses the user everywhere from the next request on. @throws UserNotFound, Forbidden, LastOwner, UserBusy */
  readonly lockUser: (actor: Principal, id: string) => Promise<User>;
  /** @throws UserNotFound, Forbidden, UserBusy */
  readonly unlockUser: (actor: Principal, id: string) => Promise<User>;
  /** Ends all sessions of a user; everyone may end their own. @throws UserNotFound, Forbidden */
  readonly signOutUser: (actor: Principal, id: string) => Promise<void>;
  /** @throws UserNotFound, Forbidden */
  readonly listUserApiKeys: (actor: Principal, id: string) => Promise<readonly ApiKey[]>;
  /** @throws UserNotFound, Forbidden, ApiKeyNotFound */
  readonly deleteUserApiKey: (actor: Principal, id: string, apiKeyId: string) => Promise<void>;
}

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
      // They are already refused; once unlocked, the user has to sign in again.
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
