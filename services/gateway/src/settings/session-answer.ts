import type { SignInResponse } from '@weft/proto/identity';
import { InternalError } from '@weft/service-kit/errors';
import { roleNameOf } from '@weft/service-kit/identity';
import { type Answer, dataAnswer } from '../middleware/write-answer';
import { personText } from './person-json';
import { sessionCookie } from './session-cookie';

/**
 * The answer that opens a session in the browser: who signed in, and the token in a cookie alone.
 * @throws InternalError
 */
export const sessionAnswer = (
  { sessionToken, expiresAt, user }: SignInResponse,
  status: 200 | 201,
  isSecure: boolean,
): Answer => {
  if (user === undefined || expiresAt === undefined)
    throw new InternalError(new Error('A session was opened, and the answer left out whose.'));
  const person = personText({ email: user.email, role: roleNameOf(user.role) });
  return dataAnswer(person, { status, headers: { 'set-cookie': sessionCookie(sessionToken, expiresAt, isSecure) } });
};
