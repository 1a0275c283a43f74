import { encodingOf, toBytes } from '../bytes/encodings';
import { define } from '../define';
import { askHostForText } from '../host';

/** Cryptographically random bytes. @throws RangeError for too many */
export function randomBytes(count: number): Uint8Array {
  return toBytes(askHostForText('random', count), encodingOf('base64') ?? 'base64');
}

/**
 * Replaces `Math.random`: V8's would give the first runs of every process the same numbers, because all start from the
 * same memory image. Uses a small, fast counter-based generator (sfc32) with a random seed for each run.
 */
export function installRandom(): void {
  let state: Uint32Array | undefined;
  const next = (): number => {
    state ??= Uint32Array.from(new Uint32Array(randomBytes(16).buffer));
    const [a = 0, b = 0, c = 0, count = 0] = state;
    const sum = (a + b + count) | 0;
    state[0] = b ^ (b >>> 9);
    state[1] = (c + (c << 3)) | 0;
    state[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
    state[3] = count + 1;
    return sum >>> 0;
  };
  define(Math, 'random', () => ((next() >>> 5) * 67_108_864 + (next() >>> 6)) / 9_007_199_254_740_992);
}
