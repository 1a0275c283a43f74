import type { SignInResponse } from '@weft/proto/identity';
import { InternalError, ServiceError } from '@weft/service-kit/errors';
import { roleNameOf } from '@weft/service-kit/identity';
import { quote } from '../http/json-text';
import { object, readBody, text } from '../http/shape';
import { type Answer, dataAnswer, DELETED } from '../middleware/responses/write-answer';
import { endedCookies, sessionCookies } from '../http/session-cookie';
import type { PageHandler, SignedIn } from './page-handler';

/** The signed-in user, as shown on the page. */
export const personText = ({ userId, email, role }: SignedIn): string =>
  `{"id":${quote(userId)},"email":${quote(email)},"role":${quote(role)}}`;

/** The response that opens a session in the browser: the user, and the token only in a cookie. @throws InternalError */
export const sessionAnswer = (
  { sessionToken, expiresAt, user }: SignInResponse,
  status: 200 | 201,
  isSecure: boolean,
): Answer => {
  if (user === undefined || expiresAt === undefined)
    throw new InternalError(new Error('A session was opened, and the answer left out whose.'));
  const person = personText({ userId: user.id, email: user.email, role: roleNameOf(user.role) });
  return dataAnswer(person, { status, headers: { 'set-cookie': sessionCookies(sessionToken, expiresAt, isSecure) } });
};

/** GET /console/api/session: the signed-in user, or null. Not being signed in is not an error here. */
export const getSession: PageHandler = async ({ signedIn }) => {
  try {
    return dataAnswer(personText(await signedIn()));
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'unauthenticated') return dataAnswer('null');
    throw error;
  }
};

const SIGN_IN_BODY = object({ email: text(), password: text() }, { required: ['email', 'password'], isOpen: true });

const SET_UP_BODY = object(
  { setupCode: text(), email: text(), password: text() },
  { required: ['setupCode', 'email', 'password'], isOpen: true },
);

/** POST /console/api/session: email and password open a session, whose token travels only in a cookie. */
export const signIn: PageHandler = async ({ body, clientAddress, isSecure }, { identity }) => {
  const { email = '', password = '' } = readBody(SIGN_IN_BODY, body);
  return sessionAnswer(await identity.sessions.signIn({ email, password, clientAddress }), 200, isSecure);
};

/** DELETE /console/api/session: ends the session, here and in the browser. Repeating it changes nothing. */
export const signOut: PageHandler = async ({ sessionToken, isSecure }, { identity }) => {
  if (sessionToken !== undefined) await identity.sessions.signOut({ sessionToken });
  return { ...DELETED, headers: { 'set-cookie': endedCookies(isSecure) } };
};

const PASSWORD_BODY = object(
  { currentPassword: text(), newPassword: text() },
  { required: ['currentPassword', 'newPassword'], isOpen: true },
);

/**
 * PUT /console/api/password: another password of the signed-in user. The sessions of the user end, except that the
 * browser gets another one. Not for API keys: they must not outlast the person who has them.
 */
export const changePassword: PageHandler = async (request, { identity }) => {
  const { body, sessionToken = '', clientAddress, isSecure, signedIn } = request;
  const { currentPassword = '', newPassword = '' } = readBody(PASSWORD_BODY, body);
  // Guesses of a token are limited here.
  await signedIn();
  return sessionAnswer(
    await identity.sessions.changePassword({ sessionToken, currentPassword, newPassword, clientAddress }),
    200,
    isSecure,
  );
};

/** GET /console/api/provider: the identity provider for signing in, or null. */
export const getProvider: PageHandler = ({ providerLabel }) =>
  Promise.resolve(dataAnswer(providerLabel === undefined ? 'null' : `{"label":${quote(providerLabel)}}`));

/** GET /console/api/setup: true if this instance has no owner yet, so that the page offers to create one. */
export const getSetup: PageHandler = async (_request, { identity }) => {
  const { open } = await identity.sessions.getSetup({});
  return dataAnswer(`{"open":${open}}`);
};

/** POST /console/api/setup: creates the first owner and signs in. Works once; 409 from then on. */
export const setUpOwner: PageHandler = async ({ body, clientAddress, isSecure }, { identity }) => {
  const { setupCode = '', email = '', password = '' } = readBody(SET_UP_BODY, body);
  return sessionAnswer(
    await identity.sessions.setUpOwner({ email, password, clientAddress, setupCode }),
    201,
    isSecure,
  );
};
