import { createHash } from 'node:crypto';
import { pdfOf } from './pdf-of';

/** The standard padding of passwords to 32 bytes. */
const PADDING = Buffer.from('28BF4E5E4E758A4164004E56FFFA01082E2E00B6D0683E802F0CA9FE6453697A', 'hex');
/** Everything is allowed except printing. */
const PERMISSIONS = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
const KEY_BYTES = 5;
const CONTENT_OBJECT = 4;

const md5 = (...parts: readonly Uint8Array[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest();
const padded = (password: string): Buffer => Buffer.concat([Buffer.from(password), PADDING]).subarray(0, 32);

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number): number => state[index & 255] ?? 0;
  const swap = (one: number, other: number): void => {
    const kept = at(one);
    state[one & 255] = at(other);
    state[other & 255] = kept;
  };
  let [left, right] = [0, 0];
  for (left = 0; left < 256; left += 1) {
    right = (right + at(left) + (key[left % key.length] ?? 0)) & 255;
    swap(left, right);
  }
  [left, right] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      left = (left + 1) & 255;
      right = (right + at(left)) & 255;
      swap(left, right);
      return byte ^ at(at(left) + at(right));
    }),
  );
}

/** A PDF with one line of text and a password: encrypted as in PDF 1.4, which every reader supports. */
export function protectedPdfOf(text: string, password: string): Uint8Array {
  const id = md5(Buffer.from(text));
  const owner = rc4(md5(padded(password)).subarray(0, KEY_BYTES), padded(password));
  const key = md5(padded(password), owner, PERMISSIONS, id).subarray(0, KEY_BYTES);
  const ownKey = md5(key, Buffer.from([CONTENT_OBJECT, 0, 0, 0, 0])).subarray(0, KEY_BYTES + 5);
  const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;
  const encrypt = `/Encrypt<</Filter/Standard/V 1/R 2/O${hex(owner)}/U${hex(rc4(key, PADDING))}/P -4>>`;
  const plain = pdfOf(text).replace('/Root 1 0 R', `/Root 1 0 R${encrypt}/ID[${hex(id)}${hex(id)}]`);
  const sealed = plain.replace(
    /stream\n(.*)\nendstream/s,
    (_, content: string) => `stream\n${rc4(ownKey, Buffer.from(content)).toString('latin1')}\nendstream`,
  );
  return Buffer.from(sealed, 'latin1');
}
