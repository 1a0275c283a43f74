import type { FieldFault } from '@weft/service-kit/errors';
import { InternalError } from '@weft/service-kit/errors';
import { roleNameOf } from '@weft/service-kit/identity';
import { dataAnswer } from '../../middleware/write-answer';
import { bodyObject, readFields, refuseFaults } from '../body-fields';
import { personText } from './person-json';
import { sessionCookie } from './session-cookie';
import type { SettingsHandler } from './settings-handler';

/** POST /settings/api/session: email and password open a session, whose token travels in a cookie alone. */
export const signIn: SettingsHandler = async ({ body, clientAddress, isSecure }, { identity }) => {
  const faults: FieldFault[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.require('email', 'password');
  const email = fields.text('email') ?? '';
  const password = fields.text('password') ?? '';
  refuseFaults(faults);
  const { sessionToken, expiresAt, user } = await identity.sessions.signIn({ email, password, clientAddress });
  if (user === undefined || expiresAt === undefined) throw new InternalError(new Error('A sign-in was answered without its user.'));
  const person = personText({ email: user.email, role: roleNameOf(user.role) });
  return dataAnswer(person, { status: 200, headers: { 'set-cookie': sessionCookie(sessionToken, expiresAt, isSecure) } });
};
