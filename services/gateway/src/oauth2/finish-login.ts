import { InternalError } from '@weft/service-kit/errors';
import { quote } from '../http/json-text';
import { object, readBody, text } from '../http/shape';
import { dataAnswer } from '../middleware/responses/write-answer';
import type { PageHandler } from '../console/page-handler';
import { endedLoginCookie } from './login-cookie';

const WORD = text({ maxLength: 4_000 });

/** The parameters that a service sent with the browser. */
const RETURN_BODY = object({ code: WORD, state: WORD, error: WORD }, { isOpen: true });

/**
 * POST /console/api/oauth2: completes the sign-in of a credential that this browser began, in the same session.
 * @throws LOGIN_ATTEMPT_INVALID, LOGIN_REFUSED
 */
export const finishLogin: PageHandler = async (request, { credentials }) => {
  const { body, sessionToken = '', loginAttempt, isSecure, signedIn } = request;
  const { code = '', state = '', error = '' } = readBody(RETURN_BODY, body);
  const principal = await signedIn();
  const { credential } = await credentials.calls.finishLogin(
    { attempt: loginAttempt, sessionToken, state, code, error },
    { principal, waits: true },
  );
  if (credential === undefined)
    throw new InternalError(new Error('A sign-in was completed, and the answer left out the credential.'));
  return dataAnswer(`{"id":${quote(credential.id)},"name":${quote(credential.name)}}`, {
    status: 200,
    headers: { 'set-cookie': endedLoginCookie(isSecure) },
  });
};
