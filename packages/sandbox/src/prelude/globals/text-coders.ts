import { encodingOf, toBytes, toText } from '../bytes/encodings';
import { decodeUtf8, encodeUtf8 } from '../bytes/utf8';

export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(text = ''): Uint8Array {
    return encodeUtf8(String(text));
  }
}

export class TextDecoder {
  readonly encoding: string;
  readonly #name: ReturnType<typeof encodingOf>;

  constructor(label = 'utf-8') {
    this.encoding = String(label).toLowerCase();
    this.#name = encodingOf(label);
    if (this.#name === undefined) throw new RangeError(`The "${label}" encoding is not supported`);
  }

  decode(bytes: ArrayBuffer | ArrayBufferView = new Uint8Array()): string {
    const view = ArrayBuffer.isView(bytes)
      ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      : new Uint8Array(bytes);
    if (this.#name !== 'utf8') return toText(view, this.#name ?? 'utf8');
    return decodeUtf8(view[0] === 0xef && view[1] === 0xbb && view[2] === 0xbf ? view.subarray(3) : view);
  }
}

/** Encodes characters, each a byte, as base64. */
export function btoa(text: unknown): string {
  const characters = String(text);
  if (/[^\0-\xff]/.test(characters)) throw new RangeError('Invalid character');
  return toText(toBytes(characters, 'latin1'), 'base64');
}

/** Decodes base64 to characters, each a byte. */
export function atob(text: unknown): string {
  const clean = String(text).replace(/[\t\n\f\r ]+/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?$/.test(clean))
    throw new RangeError('The string to be decoded is not correctly encoded.');
  return toText(toBytes(clean, 'base64'), 'latin1');
}
