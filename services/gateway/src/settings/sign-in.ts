import type { FieldError } from '@weft/service-kit/errors';
import { bodyObject, readFields, refuseFieldErrors } from '../http/body-fields';
import { sessionAnswer } from './session-answer';
import type { SettingsHandler } from './settings-handler';

/** POST /settings/api/session: email and password open a session, whose token travels in a cookie alone. */
export const signIn: SettingsHandler = async ({ body, clientAddress, isSecure }, { identity }) => {
  const faults: FieldError[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.require('email', 'password');
  const email = fields.string('email') ?? '';
  const password = fields.string('password') ?? '';
  refuseFieldErrors(faults);
  return sessionAnswer(await identity.sessions.signIn({ email, password, clientAddress }), 200, isSecure);
};
