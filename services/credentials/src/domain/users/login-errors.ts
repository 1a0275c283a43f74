import type { FieldError } from '@weft/service-kit/errors';
import { checkPassword } from './check-password';
import { isEmail, normaliseEmail } from './email';

/** What is wrong with the email and the password that somebody is to sign in with; none if they can be used. */
export const loginErrors = (email: string, password: string): readonly FieldError[] => {
  const passwordError = checkPassword(password);
  return [
    ...(isEmail(normaliseEmail(email))
      ? []
      : [{ field: 'email', message: 'Give an email of at most 254 characters.' }]),
    ...(passwordError === undefined ? [] : [{ field: 'password', message: passwordError }]),
  ];
};
