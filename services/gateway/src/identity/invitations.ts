import { type Invitation, Role } from '@weft/proto/identity';
import { InternalError } from '@weft/service-kit/errors';
import { roleNameOf } from '@weft/service-kit/identity';
import { creationKey } from '../http/idempotency-key';
import { quote, timeText } from '../http/json-text';
import { object, readBody } from '../http/shape';
import { dataAnswer, DELETED, type TextAnswer } from '../middleware/responses/write-answer';
import type { IdentityHandler } from './identity-handler';
import { component, described, type Fields, ID, orNull, record, TEXT, TIME } from '../openapi/schema';
import { EMAIL, ROLE, SHOWN_ROLE } from './users';

const INVITATION_FIELDS: Fields = {
  id: ID,
  email: TEXT,
  role: SHOWN_ROLE,
  createdBy: ID,
  createdAt: TIME,
  expiresAt: TIME,
  userId: described('The user whose password the link resets; null: it makes a user.', orNull(TEXT)),
};

/** Schema of `invitationText`. */
export const INVITATION = component('Invitation', record(INVITATION_FIELDS));

/** Schema of `newInvitation`. */
export const CREATED_INVITATION = component(
  'CreatedInvitation',
  record({
    ...INVITATION_FIELDS,
    token: described('Only this response contains it.', TEXT),
    path: described('Of the page that takes the token.', TEXT),
  }),
);

/** Body of a new invitation. */
export const INVITATION_BODY = object({ email: EMAIL, role: ROLE }, { required: ['email', 'role'] });

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

/** A new invitation with its token, which only this response contains, and the path of the page that accepts it. */
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

/** POST /invitations, an addition: a one-time link for creating an account. */
export const createInvitation: IdentityHandler = async ({ body, headers, principal }, { identity }) => {
  const { email = '', role = Role.ROLE_UNSPECIFIED } = readBody(INVITATION_BODY, body);
  return newInvitation(
    await identity.invitations.createInvitation({ email, role, ...creationKey(headers) }, { principal }),
  );
};

/** POST /users/:id/reset-password, an addition: a one-time link for setting a new password. */
export const resetPassword: IdentityHandler = async ({ id, headers, principal }, { identity }) =>
  newInvitation(await identity.invitations.resetPassword({ userId: id, ...creationKey(headers) }, { principal }));

/** GET /invitations, an addition: the open ones, newest first. */
export const listInvitations: IdentityHandler = async ({ principal }, { identity }) => {
  const { invitations } = await identity.invitations.listInvitations({}, { principal });
  return dataAnswer(`[${invitations.map(invitationText).join(',')}]`);
};

/** DELETE /invitations/:id, an addition: its link no longer works. */
export const deleteInvitation: IdentityHandler = async ({ id, principal }, { identity }) => {
  await identity.invitations.deleteInvitation({ invitationId: id }, { principal });
  return DELETED;
};
