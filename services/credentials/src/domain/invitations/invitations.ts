import type { Principal, Role } from '@weft/service-kit/auth';
import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import type { AuditAction, RecordAudit } from '../audit';
import { InvitationNotFound, TooManyInvitations, UserExists } from '../errors';
import { makeToken } from '../token';
import { isEmail, normaliseEmail } from '../users/login';
import { findManaged } from '../users/change-user';
import { checkMayAssign } from '../users/may-manage';
import type { UserStore } from '../ownership/user';
import { ROLE_ERROR } from '../users/users';
import { INVITATION_MS, MAX_INVITATIONS, RESET_MS, type Invitation, type InvitationStore } from './invitation';

export interface InvitationPorts {
  readonly invitations: InvitationStore;
  readonly users: Pick<UserStore, 'findById' | 'findByEmail'>;
  readonly recordAudit: RecordAudit;
  readonly newId: () => string;
  readonly clock: () => Date;
}

/** A new invitation with its token, which is never shown again. */
export interface NewInvitation {
  readonly invitation: Invitation;
  readonly token: string;
}

/** Use cases of inviting users. */
export interface InvitationUseCases {
  /** @throws InvalidRequest, Forbidden, UserExists, TooManyInvitations */
  readonly createInvitation: (
    actor: Principal,
    email: string,
    role: Role | undefined,
    id?: string,
  ) => Promise<NewInvitation>;
  /** Creates a link for setting a new password of a user. @throws UserNotFound, Forbidden, TooManyInvitations */
  readonly resetPassword: (actor: Principal, userId: string, id?: string) => Promise<NewInvitation>;
  readonly listInvitations: () => Promise<readonly Invitation[]>;
  /** @throws InvitationNotFound */
  readonly deleteInvitation: (actor: Principal, id: string) => Promise<void>;
}

export const invitationUseCases = (ports: InvitationPorts): InvitationUseCases => {
  const { invitations, users, recordAudit, newId, clock } = ports;

  /** Replaces earlier links of the same email. @throws TooManyInvitations */
  const make = async (
    actor: Principal,
    { id = newId(), ...fields }: Pick<Invitation, 'email' | 'role' | 'userId'> & { readonly id?: string | undefined },
    lifetimeMs: number,
    action: AuditAction,
  ): Promise<NewInvitation> => {
    const now = clock();
    await invitations.removeOfEmail(fields.email);
    if ((await invitations.list(now, MAX_INVITATIONS)).length >= MAX_INVITATIONS)
      throw new TooManyInvitations(MAX_INVITATIONS);
    const { token, hash: tokenHash } = makeToken();
    const expiresAt = new Date(now.getTime() + lifetimeMs);
    const invitation = { id, ...fields, createdBy: actor.userId, createdAt: now, expiresAt };
    await invitations.insert({ ...invitation, tokenHash });
    const about = { invitationId: invitation.id, email: fields.email, role: fields.role };
    await recordAudit({ action, actor: actor.userId, about });
    return { invitation, token };
  };

  return {
    createInvitation: async (actor, typed, role, id) => {
      const email = normaliseEmail(typed.slice(0, 1_000));
      const emailErrors = isEmail(email) ? [] : [{ field: 'email', message: 'must be an email.' }];
      if (emailErrors.length > 0 || role === undefined) {
        const errors = [...emailErrors, ...(role === undefined ? [ROLE_ERROR] : [])];
        throw new InvalidRequest('The invitation cannot be made.', errors);
      }
      checkMayAssign(actor, role);
      if ((await users.findByEmail(email)) !== undefined) throw new UserExists();
      return make(actor, { email, role, id }, INVITATION_MS, 'invitation.create');
    },
    resetPassword: async (actor, userId, id) => {
      const { email, role } = await findManaged(users, actor, userId);
      return make(actor, { email, role, userId, id }, RESET_MS, 'user.reset-password');
    },
    listInvitations: () => invitations.list(clock(), MAX_INVITATIONS),
    deleteInvitation: async (actor, id) => {
      if (!isUuid(id) || !(await invitations.remove(id))) throw new InvitationNotFound(id);
      await recordAudit({ action: 'invitation.delete', actor: actor.userId, about: { invitationId: id } });
    },
  };
};
