import { isJsonObject } from '@weft/service-kit/json';
import { randomBytes } from 'node:crypto';
import { CredentialUnreadable } from '../errors';
import type { Sealed, SealedFor, Sealer } from '../sealing';

const SECRET_BYTES = 32;

/** A hook is not a credential, and belongs to its workflow under every owner. */
const ownerOf = (hookId: string): SealedFor => ({ id: hookId, type: 'hook secret', ownerId: '' });

/** A new secret, sealed, as text. */
export const newHookSecret = (sealer: Pick<Sealer, 'seal'>, hookId: string): string =>
  JSON.stringify(sealer.seal(ownerOf(hookId), randomBytes(SECRET_BYTES).toString('base64url')));

const isSealed = (value: unknown): value is Sealed =>
  isJsonObject(value) &&
  typeof value['v'] === 'number' &&
  ['kid', 'wrappedKey', 'iv', 'ciphertext', 'tag'].every((name) => typeof value[name] === 'string');

/** @throws CredentialUnreadable */
const sealedIn = (hookId: string, text: string): Sealed => {
  try {
    const sealed: unknown = JSON.parse(text);
    if (isSealed(sealed)) return sealed;
  } catch {
    // Reported below.
  }
  throw new CredentialUnreadable(hookId, new Error('the secret of the hook is not sealed'));
};

/** The secret of a hook. @throws CredentialUnreadable */
export const openHookSecret = (sealer: Pick<Sealer, 'open'>, hookId: string, text: string): string =>
  sealer.open(ownerOf(hookId), sealedIn(hookId, text));

/** The same secret under the current master key. @throws CredentialUnreadable */
export const rewrapHookSecret = (sealer: Pick<Sealer, 'rewrap'>, hookId: string, text: string): string =>
  JSON.stringify(sealer.rewrap(ownerOf(hookId), sealedIn(hookId, text)));
