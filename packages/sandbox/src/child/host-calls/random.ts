import { randomBytes } from 'node:crypto';

/** Most bytes for one call. */
const MAX_BYTES = 65_536;

/** That many random bytes, in base64. @throws RangeError */
export function randomNumbers(count: unknown): string {
  if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > MAX_BYTES) {
    throw new RangeError(`The number of random bytes must be an integer from 0 to ${MAX_BYTES}`);
  }
  return randomBytes(count).toString('base64');
}
