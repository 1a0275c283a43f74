import type { FieldError } from '@weft/service-kit/errors';

const EMAIL = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,189}$/u;

/** Length of a password in characters. */
export const PASSWORD_LENGTH = { min: 12, max: 200 } as const;

/** Canonical form in which an email is stored and looked up: trimmed, NFC, lower case. */
export const normaliseEmail = (text: string): string => text.trim().normalize('NFC').toLowerCase();

/** True if a normalised string has the form of an email; delivery is not checked. */
export const isEmail = (text: string): boolean => EMAIL.test(text);

/** Checks a new password. @returns an error message; undefined if it is acceptable */
export const passwordError = (password: string): string | undefined => {
  // Avoid counting the code points of a very long string.
  const length = password.length > 2 * PASSWORD_LENGTH.max ? Infinity : [...password].length;
  if (length < PASSWORD_LENGTH.min) return `must have at least ${PASSWORD_LENGTH.min} characters.`;
  return length > PASSWORD_LENGTH.max ? `must have at most ${PASSWORD_LENGTH.max} characters.` : undefined;
};

/** Checks the email and password of a new user. */
export const loginErrors = (email: string, password: string): readonly FieldError[] => {
  const message = passwordError(password);
  return [
    ...(isEmail(normaliseEmail(email))
      ? []
      : [{ field: 'email', message: 'must be an email of at most 254 characters.' }]),
    ...(message === undefined ? [] : [{ field: 'password', message }]),
  ];
};
