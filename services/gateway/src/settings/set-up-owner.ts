import type { FieldError } from '@weft/service-kit/errors';
import { bodyObject, readFields, refuseFieldErrors } from '../http/body-fields';
import { sessionAnswer } from './session-answer';
import type { SettingsHandler } from './settings-handler';

/** POST /settings/api/setup: makes the first owner and signs in. It works once; 409 from then on. */
export const setUpOwner: SettingsHandler = async ({ body, clientAddress, isSecure }, { identity }) => {
  const faults: FieldError[] = [];
  const fields = readFields(bodyObject(body), faults);
  fields.require('setupCode', 'email', 'password');
  const setupCode = fields.string('setupCode') ?? '';
  const email = fields.string('email') ?? '';
  const password = fields.string('password') ?? '';
  refuseFieldErrors(faults);
  return sessionAnswer(
    await identity.sessions.setUpOwner({ email, password, clientAddress, setupCode }),
    201,
    isSecure,
  );
};
