import { Thrown } from '../runtime/thrown';
import { readPattern } from './pattern';

/**
 * The longest string for which the host's engine matches a pattern in bounded time; undefined if the pattern is not
 * valid. It is 0 or a few characters for patterns whose cost explodes.
 * @param flags as of `RegExp`
 */
export function safeLengthOf(source: string, flags: string): number | undefined {
  try {
    return readPattern(source, flags).nativeUpTo;
  } catch (thrown) {
    if (thrown instanceof Thrown) return undefined;
    throw thrown;
  }
}
