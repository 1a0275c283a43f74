import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { sha3_512 } from '@noble/hashes/sha3.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { DigestName, Platform } from './platform';

/** A browser does not measure CPU: an evaluation that waits for a processor may end early. */
export const cpuMs: Platform['cpuMs'] = () => performance.now();

export const heapBytes: Platform['heapBytes'] = () => 0;

const DIGESTS: Readonly<Record<DigestName, (bytes: Uint8Array) => Uint8Array>> = {
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  'sha3-512': sha3_512,
};

const ENCODER = new TextEncoder();
/** As in Node, a byte order mark is a character. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export const digest: Platform['digest'] = (algorithm, text) => bytesToHex(DIGESTS[algorithm](ENCODER.encode(text)));

/** Bytes that become arguments of one call. */
const PART = 8_192;

export const encodeBase64: Platform['encodeBase64'] = (text) => {
  const bytes = ENCODER.encode(text);
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += PART)
    parts.push(String.fromCharCode(...bytes.subarray(start, start + PART)));
  return btoa(parts.join(''));
};

export const decodeBase64: Platform['decodeBase64'] = (encoded) => {
  const plain = encoded.replaceAll('-', '+').replaceAll('_', '/');
  // A single character of a group is less than a byte, and Node drops it.
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain;
  return DECODER.decode(Uint8Array.from(atob(whole), (character) => character.charCodeAt(0)));
};

/** Facts of the container images of runners, on which runs most likely see them. */
export const host: Platform['host'] = { arch: 'x64', platform: 'linux', version: 'v24.0.0' };
