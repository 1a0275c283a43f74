import { PayloadTooLarge } from '../errors';

/**
 * What one call to a service can carry, in characters of JSON, with room for what goes with it and for characters of
 * several bytes.
 */
const MAX_CHARACTERS = 12_000_000;

/**
 * Refuses what would not fit into one call. A body within its own limit can grow beyond this one when it is written
 * again: text as a JSON string, `1e20` in full.
 * @param characters of JSON text in all.
 * @throws PayloadTooLarge
 */
export const checkMessageSize = (characters: number): void => {
  if (characters <= MAX_CHARACTERS) return;
  throw new PayloadTooLarge(
    `Written as plain JSON the body has more than ${MAX_CHARACTERS} characters, the most that can be passed on.`,
  );
};
