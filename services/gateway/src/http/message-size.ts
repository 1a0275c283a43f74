import { PayloadTooLarge } from '../errors';

/**
 * Maximum size of a call to a service, in characters of JSON, with room for its other fields and for multi-byte
 * characters.
 */
const MAX_CHARACTERS = 12_000_000;

/**
 * Refuses data that would not fit into one call. A body within its own limit can exceed this one when it is serialized
 * again: text as a JSON string, `1e20` in full.
 * @param characters total characters of JSON text
 * @throws PayloadTooLarge
 */
export const checkMessageSize = (characters: number): void => {
  if (characters <= MAX_CHARACTERS) return;
  throw new PayloadTooLarge(
    `The body exceeds ${MAX_CHARACTERS} characters when written as JSON, the limit of one request.`,
  );
};
