import { createHmac } from 'node:crypto';
import { NodeFailure } from '@weft/engine';
import { withoutTrailing } from '@weft/service-kit/text';

/** Hash functions by the node's names, with those of OpenSSL. */
const HASHES = {
  SHA1: 'sha1',
  SHA224: 'sha224',
  SHA256: 'sha256',
  SHA384: 'sha384',
  SHA512: 'sha512',
  'SHA3-224': 'sha3-224',
  'SHA3-256': 'sha3-256',
  'SHA3-384': 'sha3-384',
  'SHA3-512': 'sha3-512',
} as const;

/** Name of a hash function. */
export type HashName = keyof typeof HASHES;

export const HASH_NAMES: readonly HashName[] = [
  'SHA1',
  'SHA224',
  'SHA256',
  'SHA3-224',
  'SHA3-256',
  'SHA3-384',
  'SHA3-512',
  'SHA384',
  'SHA512',
];

/** How codes are generated. */
export interface TotpOptions {
  readonly algorithm: HashName;
  /** 1 to 10. */
  readonly digits: number;
  /** Seconds. */
  readonly period: number;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/**
 * The bytes of a key in Base32. Case, spaces, hyphens and padding are ignored.
 * @throws NodeFailure for other characters, and for an empty key; the message never includes the key
 */
export function readBase32(text: string): Uint8Array {
  const digits = withoutTrailing(text.replaceAll(/[\s-]/g, ''), '=').toUpperCase();
  const bytes: number[] = [];
  let [bits, buffer] = [0, 0];
  for (const digit of digits) {
    const value = BASE32.indexOf(digit);
    if (value < 0)
      throw new NodeFailure('The secret of the credential is not valid Base32.', {
        description: 'Use the letters A to Z and the digits 2 to 7, as the service shows the key next to its QR code.',
      });
    buffer = ((buffer << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((buffer >> bits) & 0xff);
  }
  if (bytes.length === 0) throw new NodeFailure('The secret of the credential is empty.');
  return Uint8Array.from(bytes);
}

/** The code of a key for a time (RFC 6238). @param now Unix milliseconds */
export function oneTimePassword(key: Uint8Array, now: number, { algorithm, digits, period }: TotpOptions): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 1_000 / period)));
  const mac = createHmac(HASHES[algorithm], key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits).padStart(digits, '0');
}

/** Whole seconds for which the code of a time is still valid. @param now Unix milliseconds */
export function secondsRemaining(now: number, period: number): number {
  return Math.floor(period - ((now / 1_000) % period));
}
