import { object, readBody, text } from '../http/shape';
import { invitationText } from '../identity/invitations';
import { dataAnswer } from '../middleware/responses/write-answer';
import type { PageHandler } from './page-handler';
import { sessionAnswer } from './sessions';

const TOKEN_BODY = object({ token: text() }, { required: ['token'], isOpen: true });

const ACCEPT_BODY = object(
  { token: text(), name: text(), password: text() },
  { required: ['token', 'password'], isOpen: true },
);

/**
 * POST /console/api/invitation: describes the invitation of the token in the body. The token is not in the path, so
 * that it is not logged.
 */
export const getInvitation: PageHandler = async ({ body, clientAddress }, { identity }) => {
  const { token = '' } = readBody(TOKEN_BODY, body);
  const { invitation } = await identity.invitations.getInvitation({ token, clientAddress });
  return dataAnswer(invitationText(invitation));
};

/** POST /console/api/invitation/accept: creates the user or sets the password, and signs in. */
export const acceptInvitation: PageHandler = async ({ body, clientAddress, isSecure }, { identity }) => {
  const { token = '', name = '', password = '' } = readBody(ACCEPT_BODY, body);
  const request = { token, name, password, clientAddress };
  return sessionAnswer(await identity.invitations.acceptInvitation(request), 201, isSecure);
};
