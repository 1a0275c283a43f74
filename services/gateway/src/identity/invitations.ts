import type { Invitation } from '@weft/proto/identity';
import { type FieldError, InternalError } from '@weft/service-kit/errors';
import { roleNameOf } from '@weft/service-kit/identity';
import { bodyObject, readFields, refuseFieldErrors } from '../http/body-fields';
import { quote, timeText } from '../http/json-text';
import { dataAnswer, DELETED, type TextAnswer } from '../middleware/write-answer';
import type { IdentityHandler } from './identity-handler';
import { readRole } from './users';

/** An invitation without its token. `userId` is null unless it resets the password of that user. */
export const invitationText = (invitation: Invitation | undefined): string => {
  if (invitation === undefined)
    throw new InternalError(new Error('The credentials service answered without the invitation.'));
  const { id, email, role, createdBy, createdAt, expiresAt, userId } = invitation;
  return (
    `{"id":${quote(id)},"email":${quote(email)},"role":${quote(roleNameOf(role))},"createdBy":${quote(createdBy)},` +
    `"createdAt":${timeText(createdAt)},"expiresAt":${timeText(expiresAt)},` +
    `"userId":${userId === '' ? 'null' : quote(userId)}}`
  );
};

/** A new invitation with its token, which is in this answer alone, and the path of the page that takes it. */
const newInvitation = ({
  invitation,
  token,
}: {
  readonly invitation?: Invitation | undefined;
  readonly token: string;
}): TextAnswer => {
  const path = quote(`/settings/#invitation=${token}`);
  return dataAnswer(`${invitationText(invitation).slice(0, -1)},"token":${quote(token)},"path":${path}}`, {
    status: 201,
  });
};

/** POST /invitations, an addition: a one-time link by which a person makes an account. */
export const createInvitation: IdentityHandler = async ({ body, principal }, { identity }) => {
  const errors: FieldError[] = [];
  const fields = readFields(bodyObject(body), errors);
  fields.allowOnly('email', 'role');
  fields.require('email');
  const request = { email: fields.string('email') ?? '', role: readRole(fields) };
  refuseFieldErrors(errors);
  return newInvitation(await identity.invitations.createInvitation(request, { principal }));
};

/** POST /users/:id/reset-password, an addition: a one-time link by which the user sets a new password. */
export const resetPassword: IdentityHandler = async ({ id, principal }, { identity }) =>
  newInvitation(await identity.invitations.resetPassword({ userId: id }, { principal }));

/** GET /invitations, an addition: those that can be accepted, newest first. */
export const listInvitations: IdentityHandler = async ({ principal }, { identity }) => {
  const { invitations } = await identity.invitations.listInvitations({}, { principal });
  return dataAnswer(`[${invitations.map(invitationText).join(',')}]`);
};

/** DELETE /invitations/:id, an addition: its link no longer works. */
export const deleteInvitation: IdentityHandler = async ({ id, principal }, { identity }) => {
  await identity.invitations.deleteInvitation({ invitationId: id }, { principal });
  return DELETED;
};
