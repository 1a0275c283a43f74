import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';
import { CredentialUnreadable } from './errors';
import { allKeys, deriveKey, type MasterKeys } from './master-keys';

/** An encrypted text. Everything except `v` and `kid` is canonical base64. */
export interface Sealed {
  /** Version of the format. */
  readonly v: number;
  /** Id of the master key that wraps the data key. */
  readonly kid: string;
  /** Data key encrypted under the master key: nonce, ciphertext and tag combined. */
  readonly wrappedKey: string;
  readonly iv: string;
  readonly ciphertext: string;
  readonly tag: string;
}

/** Credential that a sealed text belongs to. It does not open for any other. */
export interface SealedFor {
  readonly id: string;
  readonly type: string;
  /** Id of its owner. */
  readonly ownerId: string;
}

/** Envelope encryption of credential data. */
export interface Sealer {
  /** Seals under a fresh data key, wrapped by the current master key. */
  readonly seal: (owner: SealedFor, text: string) => Sealed;
  /**
   * Opens under the master key it was sealed with.
   * @throws CredentialUnreadable if the key is missing, the credential is another one, or any byte was changed
   */
  readonly open: (owner: SealedFor, sealed: Sealed) => string;
  /** Rewraps the data key under the current master key. @throws CredentialUnreadable */
  readonly rewrap: (owner: SealedFor, sealed: Sealed) => Sealed;
  /**
   * Signs a grant of a sealed credential to a project, under its data key. The signature stays valid with another
   * master key, but not with another seal, owner or credential. It cannot be made without a master key.
   * @throws CredentialUnreadable
   */
  readonly signGrant: (owner: SealedFor, sealed: Sealed, projectId: string) => string;
}

const VERSION = 2;
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

interface Encrypted {
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

const encrypt = (key: KeyObject, plain: Buffer, additional: Buffer): Encrypted => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(additional);
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { iv, ciphertext, tag: cipher.getAuthTag() };
};

const decrypt = (key: KeyObject, { iv, ciphertext, tag }: Encrypted, additional: Buffer): Buffer => {
  if (iv.length !== IV_BYTES || tag.length !== TAG_BYTES) throw new Error('nonce or tag has a wrong length');
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(additional).setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
};

/** Strict: Node ignores wrong trailing bits and foreign characters, so a modified text could open. */
const fromBase64 = (text: string): Buffer => {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) throw new Error('a part is not canonical base64');
  return bytes;
};

/** JSON delimits the parts, whatever they contain. */
const dataContext = ({ id, type, ownerId }: SealedFor): Buffer =>
  Buffer.from(JSON.stringify(['weft credential', VERSION, id, type, ownerId]));
/** Without the owner: the data key reveals nothing about the data. */
const keyContext = ({ id }: SealedFor, kid: string): Buffer =>
  Buffer.from(JSON.stringify(['weft data key', 1, id, kid]));

const grantContext = ({ id, ownerId }: SealedFor, projectId: string): string =>
  JSON.stringify(['weft credential grant', 1, id, ownerId, projectId]);

const wrap = (wrapping: KeyObject, dataKey: Buffer, owner: SealedFor, kid: string): string => {
  const { iv, ciphertext, tag } = encrypt(wrapping, dataKey, keyContext(owner, kid));
  return Buffer.concat([iv, ciphertext, tag]).toString('base64');
};

/** Creates a sealer with the given master keys. */
export const createSealer = (keys: MasterKeys): Sealer => {
  const wrappingKeyOf = (kid: string): KeyObject | undefined => {
    const master = allKeys(keys).find((one) => one.kid === kid);
    return master === undefined ? undefined : deriveKey(master, 'wrap');
  };
  /** Evaluated each time, because keys can be replaced while the process runs. */
  const wrapNow = (dataKey: Buffer, owner: SealedFor): Pick<Sealed, 'kid' | 'wrappedKey'> => {
    const { current } = keys;
    return { kid: current.kid, wrappedKey: wrap(deriveKey(current, 'wrap'), dataKey, owner, current.kid) };
  };

  const unwrap = (owner: SealedFor, { v, kid, wrappedKey }: Sealed): Buffer => {
    if (v !== VERSION) throw new Error(`unknown sealing version ${v}`);
    const wrapping = wrappingKeyOf(kid);
    if (wrapping === undefined) throw new Error(`no master key has the id ${kid}`);
    const bytes = fromBase64(wrappedKey);
    const parts = {
      iv: bytes.subarray(0, IV_BYTES),
      ciphertext: bytes.subarray(IV_BYTES, -TAG_BYTES),
      tag: bytes.subarray(-TAG_BYTES),
    };
    return decrypt(wrapping, parts, keyContext(owner, kid));
  };
  const orUnreadable = <Result>(owner: SealedFor, work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw new CredentialUnreadable(owner.id, error);
    }
  };

  return {
    seal: (owner, text) => {
      const dataKey = randomBytes(KEY_BYTES);
      const { iv, ciphertext, tag } = encrypt(createSecretKey(dataKey), Buffer.from(text), dataContext(owner));
      return {
        v: VERSION,
        ...wrapNow(dataKey, owner),
        iv: iv.toString('base64'),
        ciphertext: ciphertext.toString('base64'),
        tag: tag.toString('base64'),
      };
    },
    open: (owner, sealed) =>
      orUnreadable(owner, () => {
        const parts = {
          iv: fromBase64(sealed.iv),
          ciphertext: fromBase64(sealed.ciphertext),
          tag: fromBase64(sealed.tag),
        };
        return decrypt(createSecretKey(unwrap(owner, sealed)), parts, dataContext(owner)).toString('utf8');
      }),
    signGrant: (owner, sealed, projectId) =>
      orUnreadable(owner, () => {
        const key = Buffer.from(hkdfSync('sha256', unwrap(owner, sealed), '', 'weft credential grant v1', KEY_BYTES));
        return createHmac('sha256', key).update(grantContext(owner, projectId)).digest('base64');
      }),
    rewrap: (owner, sealed) =>
      orUnreadable(owner, () => ({
        ...sealed,
        ...wrapNow(unwrap(owner, sealed), owner),
      })),
  };
};
