import { deriveKey, type MasterKey } from '../master-keys';
import { isSameSecret } from '../webhook-auth/same-secret';

/** 32 characters that cannot be taken for each other: no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Five bits a character. */
const CODE_LENGTH = 20;

/** More characters than any way of writing the code has. */
const MAX_TYPED = 100;

/**
 * The code that whoever makes the first owner has to show: 100 bits in four groups of five characters. It is derived
 * from the master key, so that every replica knows the same one and none is stored.
 */
export const setUpCodeOf = (master: MasterKey): string => {
  const bytes = deriveKey(master, 'set-up-code').export().subarray(0, CODE_LENGTH);
  // 256 is a multiple of 32, so every character is as likely as another.
  const characters = [...bytes].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return (characters.match(/.{5}/g) ?? []).join('-');
};

const normalise = (typed: string): string =>
  typed.slice(0, MAX_TYPED).toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');

/**
 * Whether that is the code, in a time that does not tell how much of it is right. Case, spaces and hyphens do not
 * count.
 */
export const isSetUpCode = (typed: string, code: string): boolean => isSameSecret(normalise(typed), normalise(code));
