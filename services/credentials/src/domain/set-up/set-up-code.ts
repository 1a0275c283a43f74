import { deriveKey, type MasterKey } from '../master-keys';
import { isSameSecret } from '../same-secret';

/** 32 unambiguous characters: no I, L, O and U. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Characters of 5 bits each. */
const CODE_LENGTH = 20;

/** Longer than the code in any spelling. */
const MAX_TYPED_LENGTH = 100;

/**
 * Code that authorises the creation of the first owner: 100 bits in four groups of five characters. Derived from the
 * master key, so that all replicas have the same code and none is stored.
 */
export const setUpCodeOf = (master: MasterKey): string => {
  const bytes = deriveKey(master, 'set-up-code').export().subarray(0, CODE_LENGTH);
  // 256 is a multiple of 32, so all characters are equally likely.
  const characters = [...bytes].map((byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
  return (characters.match(/.{5}/g) ?? []).join('-');
};

const normalise = (typed: string): string =>
  typed.slice(0, MAX_TYPED_LENGTH).toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');

/**
 * Compares a typed code in constant time. Ignores case, spaces and hyphens.
 */
export const isSetUpCode = (typed: string, code: string): boolean => isSameSecret(normalise(typed), normalise(code));
