import { bufferFrom, CodeBuffer, concat } from '../bytes/buffer';
import { encodingOf } from '../bytes/encodings';
import { define } from '../define';
import { askHost, askHostForText } from '../host';

type Options = Readonly<Record<string, unknown>>;
type Callback = (error: Error | null, result?: unknown) => void;

const base64Of = (value: unknown, encoding?: unknown): string =>
  value instanceof KeyHandle ? value.secretBase64() : bufferFrom(value, encoding).toString('base64');

/** A secret as bytes if it is a key, unchanged otherwise. */
export const secretOf = (key: unknown): unknown =>
  key instanceof KeyHandle ? bufferFrom(key.secretBase64(), 'base64') : key;

const fieldsOf = (value: unknown): Options =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const bytesOfHost = (operation: string, argument: unknown): CodeBuffer =>
  bufferFrom(askHostForText(operation, argument), 'base64');

const encoded = (bytes: CodeBuffer, encoding: unknown): string | CodeBuffer =>
  encoding === undefined || encoding === null || encoding === 'buffer' ? bytes : bytes.toString(encoding);

/** Number of bytes at the end that belong to a character, or a group of base64, that is not complete. */
const incompleteTail = (bytes: Uint8Array, encoding: unknown): number => {
  const name = encodingOf(encoding);
  if (name === 'base64' || name === 'base64url') return bytes.length % 3;
  if (name === 'utf16le') return bytes.length % 2;
  if (name !== 'utf8') return 0;
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > back ? back : 0;
  }
  return 0;
};

/** A cipher in either direction. The process around the realm computes each step from the beginning. */
export class CipherStream {
  readonly #question: Options;
  readonly #parts: Uint8Array[] = [];
  #given = 0;
  #rest: CodeBuffer = new CodeBuffer(0);
  #settings: Options = {};
  #tag: string | undefined;
  #isDone = false;

  constructor(algorithm: unknown, key: unknown, iv: unknown, options: unknown, decrypts: boolean) {
    const { authTagLength } = fieldsOf(options);
    this.#question = {
      algorithm: String(algorithm),
      key: base64Of(key),
      ...(iv === null || iv === undefined ? {} : { iv: base64Of(iv) }),
      ...(authTagLength === undefined ? {} : { tagLength: authTagLength }),
      decrypts,
    };
    // An unknown algorithm or a key of a wrong length is reported here, as in Node.
    if (!decrypts || !/gcm|ccm|ocb|poly1305/i.test(String(algorithm))) this.#ask(false);
  }

  update(data: unknown, inputEncoding?: unknown, outputEncoding?: unknown): string | CodeBuffer {
    this.#mustBeOpen();
    this.#parts.push(bufferFrom(data, inputEncoding));
    return this.#output(this.#ask(false), outputEncoding, false);
  }

  final(outputEncoding?: unknown): string | CodeBuffer {
    this.#mustBeOpen();
    this.#isDone = true;
    return this.#output(this.#ask(true), outputEncoding, true);
  }

  setAutoPadding(padding: unknown = true): this {
    this.#settings = { ...this.#settings, padding: Boolean(padding) };
    return this;
  }

  setAAD(data: unknown): this {
    this.#settings = { ...this.#settings, aad: base64Of(data) };
    return this;
  }

  setAuthTag(tag: unknown, encoding?: unknown): this {
    this.#settings = { ...this.#settings, tag: base64Of(tag, encoding) };
    return this;
  }

  getAuthTag(): CodeBuffer {
    if (this.#tag === undefined) throw new Error('Invalid state for operation getAuthTag');
    return bufferFrom(this.#tag, 'base64');
  }

  #mustBeOpen(): void {
    if (this.#isDone) throw new Error('Unsupported state');
  }

  /** The output that was not returned yet. */
  #ask(isFinal: boolean): CodeBuffer {
    const data = concat(this.#parts).toString('base64');
    const answer = fieldsOf(askHost('cipher', { ...this.#question, ...this.#settings, data, isFinal }));
    if (typeof answer['tag'] === 'string') this.#tag = answer['tag'];
    const whole = bufferFrom(String(answer['data']), 'base64');
    const fresh = bufferFrom(whole.subarray(this.#given));
    this.#given = whole.length;
    return fresh;
  }

  #output(fresh: CodeBuffer, encoding: unknown, isLast: boolean): string | CodeBuffer {
    if (encoding === undefined || encoding === null || encoding === 'buffer') return fresh;
    const bytes = concat([this.#rest, fresh]);
    const tail = isLast ? 0 : incompleteTail(bytes, encoding);
    this.#rest = bufferFrom(bytes.subarray(bytes.length - tail));
    return bufferFrom(bytes.subarray(0, bytes.length - tail)).toString(encoding);
  }
}

/** A key as `createSecretKey`, `createPublicKey` and `createPrivateKey` return it. */
export class KeyHandle {
  readonly #material: Options;

  constructor(
    readonly type: 'secret' | 'public' | 'private',
    material: Options,
    readonly asymmetricKeyType?: string,
  ) {
    this.#material = material;
  }

  /** The bytes of a secret key. @throws TypeError for another key */
  secretBase64(): string {
    if (this.type !== 'secret') throw new TypeError('The key is not a secret key');
    return String(this.#material['bytes']);
  }

  /** The key as the process around the realm reads it. */
  material(): Options {
    return this.#material;
  }

  get symmetricKeySize(): number | undefined {
    return this.type === 'secret' ? bufferFrom(this.secretBase64(), 'base64').length : undefined;
  }

  export(options?: unknown): unknown {
    const { type, format } = fieldsOf(options);
    if (this.type === 'secret') {
      const bytes = bufferFrom(this.secretBase64(), 'base64');
      return format === 'jwk' ? { kty: 'oct', k: bytes.toString('base64url') } : bytes;
    }
    const question = { key: this.#material, isPrivate: this.type === 'private', type, format };
    const text = askHostForText('exportKey', question);
    if (format === 'jwk') return JSON.parse(text);
    return format === 'der' ? bufferFrom(text, 'base64') : text;
  }
}

/** A key in any form that Node accepts, with its options. */
const keyOf = (given: unknown): { readonly key: Options; readonly options: Options } => {
  if (given instanceof KeyHandle) return { key: given.material(), options: {} };
  if (typeof given === 'string') return { key: { pem: given }, options: {} };
  if (given instanceof Uint8Array || given instanceof ArrayBuffer)
    return { key: { bytes: base64Of(given) }, options: {} };
  const options = fieldsOf(given);
  const { key, format, type, passphrase } = options;
  if (key instanceof KeyHandle) return { key: key.material(), options };
  const secret = passphrase === undefined ? {} : { passphrase: bufferFrom(passphrase).toString('utf8') };
  if (typeof key === 'string' && format !== 'der') return { key: { pem: key, ...secret }, options };
  const bytes = format === 'jwk' ? key : base64Of(key, options['encoding']);
  return { key: { bytes, format, type, ...secret }, options };
};

const rsaWith =
  (direction: string) =>
  (given: unknown, data: unknown): CodeBuffer => {
    const { key, options } = keyOf(given);
    const { padding, oaepHash, oaepLabel } = options;
    return bytesOfHost('rsa', {
      direction,
      key,
      padding,
      oaepHash,
      ...(oaepLabel === undefined ? {} : { oaepLabel: base64Of(oaepLabel) }),
      data: base64Of(data),
    });
  };

const signatureOf = (algorithm: unknown, data: string, given: unknown, signature?: string): unknown => {
  const { key, options } = keyOf(given);
  const { padding, saltLength, dsaEncoding } = options;
  const name = algorithm === undefined || algorithm === null ? null : String(algorithm);
  return askHost('signature', { algorithm: name, key, padding, saltLength, dsaEncoding, data, signature });
};

/** An unfinished signature, or its verification. */
export class Signature {
  readonly #algorithm: unknown;
  readonly #parts: Uint8Array[] = [];

  constructor(algorithm: unknown) {
    this.#algorithm = algorithm;
  }

  update(data: unknown, encoding?: unknown): this {
    this.#parts.push(bufferFrom(data, encoding));
    return this;
  }

  /** The same for streams. */
  write(data: unknown, encoding?: unknown): boolean {
    this.update(data, encoding);
    return true;
  }

  end(data?: unknown, encoding?: unknown): this {
    return data === undefined ? this : this.update(data, encoding);
  }

  sign(key: unknown, encoding?: unknown): string | CodeBuffer {
    const made = signatureOf(this.#algorithm, concat(this.#parts).toString('base64'), key);
    return encoded(bufferFrom(String(made), 'base64'), encoding);
  }

  verify(key: unknown, signature: unknown, encoding?: unknown): boolean {
    const data = concat(this.#parts).toString('base64');
    return signatureOf(this.#algorithm, data, key, base64Of(signature, encoding)) === true;
  }
}

const derive = (kind: string, secret: unknown, salt: unknown, length: unknown, more: Options): CodeBuffer =>
  bytesOfHost('deriveKey', { kind, secret: base64Of(secret), salt: base64Of(salt), length: Number(length), ...more });

const scryptSync = (secret: unknown, salt: unknown, length: unknown, options?: unknown): CodeBuffer => {
  const { N, cost, r, blockSize, p, parallelization, maxmem } = fieldsOf(options);
  return derive('scrypt', secret, salt, length, {
    options: { N: N ?? cost, r: r ?? blockSize, p: p ?? parallelization, maxmem },
  });
};

const pbkdf2Sync = (
  secret: unknown,
  salt: unknown,
  iterations: unknown,
  length: unknown,
  digest: unknown,
): CodeBuffer => derive('pbkdf2', secret, salt, length, { iterations, digest: String(digest) });

const hkdfSync = (digest: unknown, secret: unknown, salt: unknown, info: unknown, length: unknown): ArrayBufferLike =>
  derive('hkdf', secret, salt, length, { digest: String(digest), info: base64Of(info) }).slice().buffer;

/** The variant of a function that passes its result to a callback, as in Node. */
const calledBack =
  (work: (...args: readonly unknown[]) => unknown) =>
  (...args: unknown[]): void => {
    const callback = args.pop();
    if (typeof callback !== 'function') throw new TypeError('The "callback" argument must be of type function');
    const call: Callback = (error, result) => void Reflect.apply(callback, undefined, [error, result]);
    void Promise.resolve().then(() => {
      let result: unknown;
      try {
        result = work(...args);
      } catch (error) {
        call(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      call(null, result);
    });
  };

const asymmetric = (type: 'public' | 'private', given: unknown): KeyHandle => {
  const { key } = keyOf(given);
  const { pem, type: kind } = fieldsOf(askHost('readKey', { key, isPrivate: type === 'private' }));
  return new KeyHandle(type, { pem }, String(kind));
};

const generateKeyPairSync = (type: unknown, options?: unknown): { publicKey: unknown; privateKey: unknown } => {
  const { modulusLength, namedCurve, publicKeyEncoding, privateKeyEncoding } = fieldsOf(options);
  const { publicKey, privateKey } = fieldsOf(askHost('makeKeys', { type: String(type), modulusLength, namedCurve }));
  const [open, secret] = [
    new KeyHandle('public', { pem: publicKey }, String(type)),
    new KeyHandle('private', { pem: privateKey }, String(type)),
  ];
  return {
    publicKey: publicKeyEncoding === undefined ? open : open.export(publicKeyEncoding),
    privateKey: privateKeyEncoding === undefined ? secret : secret.export(privateKeyEncoding),
  };
};

const names = (): Readonly<Record<string, unknown>> => fieldsOf(askHost('cryptoNames', null));

/** The part of Node's `crypto` that encrypts, signs and derives keys. */
export const cipherFunctions = {
  createCipheriv: (algorithm: unknown, key: unknown, iv: unknown, options?: unknown) =>
    new CipherStream(algorithm, key, iv, options, false),
  createDecipheriv: (algorithm: unknown, key: unknown, iv: unknown, options?: unknown) =>
    new CipherStream(algorithm, key, iv, options, true),
  scryptSync,
  scrypt: calledBack((secret, salt, length, options) => scryptSync(secret, salt, length, options)),
  pbkdf2Sync,
  pbkdf2: calledBack((secret, salt, iterations, length, digest) =>
    pbkdf2Sync(secret, salt, iterations, length, digest),
  ),
  hkdfSync,
  hkdf: calledBack((digest, secret, salt, info, length) => hkdfSync(digest, secret, salt, info, length)),
  publicEncrypt: rsaWith('publicEncrypt'),
  publicDecrypt: rsaWith('publicDecrypt'),
  privateEncrypt: rsaWith('privateEncrypt'),
  privateDecrypt: rsaWith('privateDecrypt'),
  createSign: (algorithm: unknown) => new Signature(algorithm),
  createVerify: (algorithm: unknown) => new Signature(algorithm),
  sign: (algorithm: unknown, data: unknown, key: unknown) =>
    bufferFrom(String(signatureOf(algorithm, base64Of(data), key)), 'base64'),
  verify: (algorithm: unknown, data: unknown, key: unknown, signature: unknown) =>
    signatureOf(algorithm, base64Of(data), key, base64Of(signature)) === true,
  createSecretKey: (key: unknown, encoding?: unknown) => new KeyHandle('secret', { bytes: base64Of(key, encoding) }),
  createPublicKey: (key: unknown) => asymmetric('public', key),
  createPrivateKey: (key: unknown) => asymmetric('private', key),
  generateKeyPairSync,
  generateKeyPair: (type: unknown, options: unknown, callback: unknown): void =>
    calledBack((kind, given) => generateKeyPairSync(kind, given))(type, options, (error: unknown, keys: unknown) => {
      const { publicKey, privateKey } = fieldsOf(keys);
      if (typeof callback === 'function') Reflect.apply(callback, undefined, [error, publicKey, privateKey]);
    }),
  getCiphers: () => names()['ciphers'],
  getHashes: () => names()['hashes'],
};

/** Adds the numbers of paddings and salt lengths, which are read on first use. */
export function defineConstants(target: object): void {
  Object.defineProperty(target, 'constants', {
    configurable: true,
    enumerable: true,
    get: () => {
      const { constants } = names();
      define(target, 'constants', constants);
      return constants;
    },
  });
}
