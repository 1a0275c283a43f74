import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { NodeFailure } from '@weft/engine';

/** Formats of generated values. */
export const GENERATED_FORMS = ['uuid', 'ascii', 'base64', 'hex'] as const;

const MAX_LENGTH = 65_536;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A random string of that many characters; a UUID ignores the length.
 * @throws NodeFailure for an invalid length
 */
export function generated(form: (typeof GENERATED_FORMS)[number], length: number): string {
  if (form === 'uuid') return randomUUID();
  if (!Number.isInteger(length) || length < 1 || length > MAX_LENGTH)
    throw new NodeFailure(`The length must be an integer from 1 to ${MAX_LENGTH}, but it is ${length}.`);
  if (form === 'ascii') return Array.from({ length }, () => LETTERS.charAt(randomInt(LETTERS.length))).join('');
  return randomBytes(length).toString(form).slice(0, length);
}
