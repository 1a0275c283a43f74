import { bufferFrom, concat, type CodeBuffer } from '../bytes/buffer';
import { encodingOf } from '../bytes/encodings';
import { randomBytes } from '../globals/random';
import { askHostForText } from '../host';
import { cipherFunctions, defineConstants, secretOf } from './ciphers';

/** Data to hash: text, or bytes in base64. */
interface Data {
  readonly data: string;
  readonly encoding: 'utf8' | 'base64';
}

const createHash = (algorithm: unknown): Digest => new Digest((data) => askHostForText('hash', { algorithm, ...data }));

/** The part of Node's `crypto` that workflow code uses: all of it that is pure computation and in common use. */
export const cryptoModule = {
  ...cipherFunctions,
  createHash,
  hash: (algorithm: unknown, data: unknown, encoding: unknown = 'hex') =>
    createHash(algorithm).update(data).digest(encoding),
  createHmac: (algorithm: unknown, key: unknown) => {
    const { data: keyData, encoding: keyEncoding } = dataOf([secretOf(key)]);
    return new Digest((data) => askHostForText('hmac', { algorithm, key: keyData, keyEncoding, ...data }));
  },
  randomUUID,
  randomBytes: (size: number) => bufferFrom(randomBytes(size)),
  randomFillSync: <T extends ArrayBufferView>(array: T): T => filled(array),
  randomInt: (min: number, max?: number) => (max === undefined ? randomInt(0, min) : randomInt(min, max)),
  timingSafeEqual: (a: Uint8Array, b: Uint8Array) => {
    if (a.length !== b.length) throw new RangeError('Input buffers must have the same byte length');
    return a.reduce((difference, byte, index) => difference | (byte ^ (b[index] ?? 0)), 0) === 0;
  },
};

defineConstants(cryptoModule);

/** The part of the browser's `crypto` that workflow code uses. */
export const webCrypto = {
  randomUUID,
  getRandomValues: <T extends ArrayBufferView>(array: T): T => filled(array),
  subtle: {
    digest: async (algorithm: string | { name: string }, bytes: ArrayBuffer | Uint8Array): Promise<ArrayBufferLike> => {
      const name = (typeof algorithm === 'string' ? algorithm : algorithm.name).replace('-', '');
      const digest = new Digest((data) => askHostForText('hash', { algorithm: name, ...data }))
        .update(new Uint8Array(bytes))
        .digest();
      return typeof digest === 'string' ? new ArrayBuffer(0) : digest.slice().buffer;
    },
  },
};

function filled<T extends ArrayBufferView>(array: T): T {
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength).set(randomBytes(array.byteLength));
  return array;
}

/** An unfinished hash or HMAC. */
class Digest {
  readonly #finish: (data: Data) => string;
  readonly #parts: unknown[] = [];
  #isDone = false;

  constructor(finish: (data: Data) => string) {
    this.#finish = finish;
  }

  update(part: unknown, encoding?: unknown): this {
    if (this.#isDone) throw new Error('Digest already called');
    this.#parts.push(typeof part === 'string' && encodingOf(encoding) !== 'utf8' ? bufferFrom(part, encoding) : part);
    return this;
  }

  copy(): Digest {
    if (this.#isDone) throw new Error('Digest already called');
    const copy = new Digest(this.#finish);
    for (const part of this.#parts) copy.update(part);
    return copy;
  }

  digest(encoding?: unknown): string | CodeBuffer {
    if (this.#isDone) throw new Error('Digest already called');
    this.#isDone = true;
    const bytes = bufferFrom(this.#finish(dataOf(this.#parts)), 'base64');
    return encoding === undefined || encoding === 'buffer' ? bytes : bytes.toString(encoding);
  }
}

function dataOf(parts: readonly unknown[]): Data {
  if (parts.every((part) => typeof part === 'string')) return { data: parts.join(''), encoding: 'utf8' };
  return { data: concat(parts.map((part) => bufferFrom(part))).toString('base64'), encoding: 'base64' };
}

function randomUUID(): string {
  const bytes = bufferFrom(randomBytes(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function randomInt(min: number, max: number): number {
  if (!(max > min))
    throw new RangeError(
      `The value of "max" is out of range. It must be greater than the value of "min" (${min}). Received ${max}`,
    );
  const [high = 0, low = 0] = new Uint32Array(randomBytes(8).buffer);
  return min + Math.floor((((high >>> 11) * 4_294_967_296 + low) / 9_007_199_254_740_992) * (max - min));
}
