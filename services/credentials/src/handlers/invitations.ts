import type { Invitation as InvitationMessage, InvitationServiceService } from '@weft/proto/identity';
import type { Handlers } from '@weft/service-kit/grpc';
import type { UseCases } from '../compose';
import type { Invitation } from '../domain/invitations/invitation';
import { principalOf } from './access';
import { toSessionMessage } from './sessions';
import { fromRoleMessage, toRoleMessage } from './user-message';

/** Lists every field explicitly, so that the hash of a token is never exposed. */
const toInvitationMessage = ({
  id,
  email,
  role,
  createdBy,
  createdAt,
  expiresAt,
  userId = '',
}: Invitation): InvitationMessage => ({
  id,
  email,
  role: toRoleMessage(role),
  createdBy,
  createdAt,
  expiresAt,
  userId,
});

/** Handlers of InvitationService. */
export const invitationHandlers = (useCases: UseCases): Handlers<typeof InvitationServiceService> => ({
  createInvitation: async ({ email, role }, context) => {
    const made = await useCases.createInvitation(principalOf(context), email, fromRoleMessage(role), context.createdId);
    return { invitation: toInvitationMessage(made.invitation), token: made.token };
  },
  resetPassword: async ({ userId }, context) => {
    const made = await useCases.resetPassword(principalOf(context), userId, context.createdId);
    return { invitation: toInvitationMessage(made.invitation), token: made.token };
  },
  listInvitations: async () => ({ invitations: (await useCases.listInvitations()).map(toInvitationMessage) }),
  deleteInvitation: async ({ invitationId }, context) => {
    await useCases.deleteInvitation(principalOf(context), invitationId);
    return {};
  },
  getInvitation: async ({ token, clientAddress }) => ({
    invitation: toInvitationMessage(await useCases.getInvitation(token, clientAddress)),
  }),
  acceptInvitation: async ({ token, name, password, clientAddress }) =>
    toSessionMessage(await useCases.acceptInvitation({ token, name, password, address: clientAddress })),
});
