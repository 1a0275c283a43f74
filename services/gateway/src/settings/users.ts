import { object, readBody, text } from '../http/shape';
import type { IdentityHandler } from '../identity/identity-handler';
import { invitationText } from '../identity/invitations';
import { readUsers } from '../identity/users';
import { dataAnswer, DELETED } from '../middleware/write-answer';
import { endedCookies } from '../http/session-cookie';
import { sessionAnswer } from './sessions';
import type { SettingsHandler } from './settings-handler';
import { readShown } from './shown-lists';

/** A handler of the API for the user of a session. */
export const forSession =
  (handler: IdentityHandler): SettingsHandler =>
  async ({ id, ref, query, body, signedIn }, clients) =>
    handler({ principal: await signedIn(), id, ref, query, body, headers: {} }, clients);

/** GET /settings/api/users: the newest 1,000 users. */
export const listPageUsers: SettingsHandler = async ({ signedIn }, clients) => {
  const principal = await signedIn();
  const users = await readShown((page) => readUsers(page, principal, clients));
  return dataAnswer(`[${users.join(',')}]`);
};

/** DELETE /settings/api/sessions: ends all sessions of the signed-in user, including this one. */
export const signOutEverywhere: SettingsHandler = async ({ signedIn, isSecure }, { identity }) => {
  const principal = await signedIn();
  await identity.users.signOutUser({ userId: principal.userId }, { principal });
  return { ...DELETED, headers: { 'set-cookie': endedCookies(isSecure) } };
};

const TOKEN_BODY = object({ token: text() }, { required: ['token'], isOpen: true });

const ACCEPT_BODY = object(
  { token: text(), name: text(), password: text() },
  { required: ['token', 'password'], isOpen: true },
);

/**
 * POST /settings/api/invitation: describes the invitation of the token in the body. The token is not in the path, so
 * that it is not logged.
 */
export const getInvitation: SettingsHandler = async ({ body, clientAddress }, { identity }) => {
  const { token = '' } = readBody(TOKEN_BODY, body);
  const { invitation } = await identity.invitations.getInvitation({ token, clientAddress });
  return dataAnswer(invitationText(invitation));
};

/** POST /settings/api/invitation/accept: creates the user or sets the password, and signs in. */
export const acceptInvitation: SettingsHandler = async ({ body, clientAddress, isSecure }, { identity }) => {
  const { token = '', name = '', password = '' } = readBody(ACCEPT_BODY, body);
  const request = { token, name, password, clientAddress };
  return sessionAnswer(await identity.invitations.acceptInvitation(request), 201, isSecure);
};
