import { decodeUtf8, encodeUtf8 } from './utf8';

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE64_URL = `${BASE64.slice(0, 62)}-_`;
const VALUES = new Map(
  [...`${BASE64}-_`].map((character, index): [number, number] => [
    character.charCodeAt(0),
    index < 64 ? index : index - 2,
  ]),
);
const CHUNK = 4_096;

/** Text encodings of bytes, named as in Node's Buffer. */
export type Encoding = 'utf8' | 'hex' | 'base64' | 'base64url' | 'latin1' | 'ascii' | 'utf16le';

const NAMES: Readonly<Record<string, Encoding>> = {
  utf8: 'utf8',
  'utf-8': 'utf8',
  hex: 'hex',
  base64: 'base64',
  base64url: 'base64url',
  latin1: 'latin1',
  binary: 'latin1',
  ascii: 'ascii',
  ucs2: 'utf16le',
  'ucs-2': 'utf16le',
  utf16le: 'utf16le',
  'utf-16le': 'utf16le',
};

/** The encoding with this name; undefined if there is none. */
export function encodingOf(name: unknown): Encoding | undefined {
  const key = name === undefined || name === null ? 'utf8' : String(name).toLowerCase();
  return Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
}

/** The bytes encoded by a string. Invalid characters are skipped, as in Node. */
export function toBytes(text: string, encoding: Encoding): Uint8Array {
  switch (encoding) {
    case 'utf8':
      return encodeUtf8(text);
    case 'hex':
      return fromHex(text);
    case 'base64':
    case 'base64url':
      return fromBase64(text);
    case 'latin1':
    case 'ascii':
      return Uint8Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
    case 'utf16le':
      return new Uint8Array(Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).buffer);
  }
}

/** Bytes as text. */
export function toText(bytes: Uint8Array, encoding: Encoding): string {
  switch (encoding) {
    case 'utf8':
      return decodeUtf8(bytes);
    case 'hex':
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    case 'base64':
      return toBase64(bytes, BASE64, true);
    case 'base64url':
      return toBase64(bytes, BASE64_URL, false);
    case 'latin1':
      return characters(bytes);
    case 'ascii':
      return characters(bytes.map((byte) => byte & 0x7f));
    case 'utf16le':
      return characters(new Uint16Array(bytes.slice(0, bytes.length & ~1).buffer));
  }
}

function characters(codes: Uint8Array | Uint16Array): string {
  let text = '';
  for (let index = 0; index < codes.length; index += CHUNK)
    text += String.fromCharCode(...codes.subarray(index, index + CHUNK));
  return text;
}

function fromHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length >> 1);
  for (let index = 0; index < bytes.length; index += 1) {
    const pair = text.slice(index * 2, index * 2 + 2);
    if (!/^[0-9a-f]{2}$/i.test(pair)) return bytes.slice(0, index);
    bytes[index] = parseInt(pair, 16);
  }
  return bytes;
}

function fromBase64(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4));
  let end = 0;
  let held = 0;
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x3d) break;
    const value = VALUES.get(code);
    if (value === undefined) continue;
    held = ((held << 6) | value) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[end++] = (held >> bits) & 0xff;
  }
  return bytes.slice(0, end);
}

function toBase64(bytes: Uint8Array, alphabet: string, isPadded: boolean): string {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second, third] = [bytes[index], bytes[index + 1], bytes[index + 2]];
    const group = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    text += alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63);
    text += second === undefined ? (isPadded ? '=' : '') : alphabet.charAt((group >> 6) & 63);
    text += third === undefined ? (isPadded ? '=' : '') : alphabet.charAt(group & 63);
  }
  return text;
}
