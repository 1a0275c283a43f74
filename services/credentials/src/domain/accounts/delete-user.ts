import type { Principal } from '@weft/service-kit/auth';
import type { ApiKeyStore } from '../api-keys/api-key';
import type { RecordAudit } from '../audit';
import type { CredentialStore } from '../ownership/credential';
import { granteeKey } from '../credentials/grant';
import type { TransferCredentials } from '../ownership/transfer-credentials';
import { UserBusy, UserOwnsData } from '../errors';
import type { IdentityStore } from '../identities/identity';
import type { InvitationStore } from '../invitations/invitation';
import type { ProjectStore } from '../ownership/project';
import type { SessionStore } from '../sessions/session';
import { checkHeir, countOwned, type Ownership } from '../ownership/inheritance';
import { changeUser, findManaged } from '../users/change-user';
import type { User, UserStore } from '../ownership/user';

export interface DeleteUserPorts {
  readonly users: Pick<
    UserStore,
    'findById' | 'markLeaving' | 'unmarkLeaving' | 'hasStayingOwner' | 'change' | 'remove'
  >;
  readonly sessions: Pick<SessionStore, 'removeOf'>;
  readonly apiKeys: Pick<ApiKeyStore, 'removeOf'>;
  readonly invitations: Pick<InvitationStore, 'removeOfEmail'>;
  readonly identities: Pick<IdentityStore, 'removeOf'>;
  readonly projects: Pick<ProjectStore, 'findById'>;
  readonly credentials: Pick<CredentialStore, 'countOf' | 'removeGrantsTo'>;
  readonly transferCredentials: TransferCredentials;
  readonly ownership: Ownership;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/**
 * Deletes a user with its keys, sessions and password links. Workflows that another owner receives become inactive.
 * @param transferTo the user or project that receives what the user owns; empty: none
 * @throws InvalidRequest, UserNotFound, Forbidden, UserOwnsData, LastOwner, UserBusy, Unavailable
 */
export type DeleteUser = (actor: Principal, id: string, transferTo: string) => Promise<void>;

/** @throws UserOwnsData */
const checkOwnsNothing = async (ports: DeleteUserPorts, id: string): Promise<void> => {
  const owned = await countOwned(ports, id);
  if (Object.values(owned).some((count) => count > 0)) throw new UserOwnsData(id, owned);
};

const lock = async (ports: DeleteUserPorts, user: User): Promise<User> =>
  user.lockedAt === undefined ? changeUser(ports, user, { lockedAt: ports.clock() }) : user;

/**
 * Creates the use case. The user is locked before anything moves, so that it creates nothing new. The user itself is
 * deleted last, so that an interrupted deletion can be repeated.
 */
export const createDeleteUser = (ports: DeleteUserPorts): DeleteUser =>
  async function deleteUser(actor, id, transferTo) {
    const { users, sessions, apiKeys, invitations, identities, ownership, recordAudit } = ports;
    const user = await findManaged(users, actor, id);
    if (transferTo === '') await checkOwnsNothing(ports, id);
    else await checkHeir(ports, id, transferTo, 'The user cannot be deleted.');
    const locked = await lock(ports, user);
    if (transferTo !== '') {
      await ownership.transferOwnership(id, transferTo);
      await ports.transferCredentials(id, transferTo);
    }
    await checkOwnsNothing(ports, id);
    await ports.credentials.removeGrantsTo(granteeKey({ kind: 'user', id }));
    await sessions.removeOf(id);
    await apiKeys.removeOf(id);
    await invitations.removeOfEmail(user.email);
    await identities.removeOf(id);
    if (!(await users.remove(locked))) throw new UserBusy(id);
    await recordAudit({
      action: 'user.delete',
      actor: actor.userId,
      about: { userId: id, role: user.role, ...(transferTo === '' ? {} : { transferTo }) },
    });
  };
