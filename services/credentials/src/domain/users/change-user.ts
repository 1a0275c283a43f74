import type { Principal } from '@weft/service-kit/auth';
import { LastOwner, UserBusy } from '../errors';
import { isActiveOwner, type User, type UserChange, type UserStore } from '../ownership/user';
import { checkMayManage } from './may-manage';
import { findUser } from './users';

export interface ChangePorts {
  readonly users: Pick<UserStore, 'markLeaving' | 'unmarkLeaving' | 'hasStayingOwner' | 'change'>;
  readonly newId: () => string;
}

/**
 * Changes a user so that it is no longer an active owner, if another one remains. Owners who leave concurrently first
 * mark themselves and then look for one without a mark, so at most one of them finds the other remaining. A mark left
 * behind by a failure lets no owner leave who should not; the next change of that user removes it.
 */
const changeLeaving = async ({ users, newId }: ChangePorts, user: User, change: UserChange): Promise<boolean> => {
  const mark = newId();
  if (!(await users.markLeaving(user.id, mark))) return false;
  try {
    if (!(await users.hasStayingOwner(user.id))) throw new LastOwner(user.id);
    return await users.change(user, change, mark);
  } finally {
    await users.unmarkLeaving(user.id, mark);
  }
};

/** Changes a user if it is still as it was read. @throws LastOwner, UserBusy */
export const changeUser = async (ports: ChangePorts, user: User, change: UserChange): Promise<User> => {
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
