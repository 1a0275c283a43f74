import { randomBytes } from 'node:crypto';

/** Most bytes for one call. */
const BYTES_MAX = 65_536;

/** That many random bytes, in base64. @throws RangeError */
export function randomNumbers(count: unknown): string {
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > BYTES_MAX) {
    throw new RangeError(`The number of random bytes must be an integer from 0 to ${BYTES_MAX}`);
  }
  return randomBytes(count).toString('base64');
}
