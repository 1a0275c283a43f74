import { decode, encode, encodingExists } from 'iconv-lite';
import type { Encoding } from 'iconv-lite';
import { NodeFailure } from '@weft/engine';

/**
 * The text that bytes hold in an encoding; `base64` and `hex` give the bytes written so.
 * @throws NodeFailure for an unknown encoding
 */
export function decodeText(bytes: Uint8Array, encoding: string, stripBom: boolean): string {
  return decode(Buffer.from(bytes), known(encoding), { stripBOM: stripBom });
}

/**
 * Bytes of a string in an encoding. A byte order mark is written for encodings of Unicode alone; those that leave the
 * order open, utf16 and utf32, always have one.
 * @throws NodeFailure for an unknown encoding
 */
export function encodeText(text: string, encoding: string, addBom: boolean): Uint8Array {
  return encode(text, known(encoding), addBom ? { addBOM: true } : {});
}

function known(encoding: string): Encoding {
  const name = encoding === '' ? 'utf8' : encoding;
  if (encodingExists(name)) return name;
  throw new NodeFailure(`The encoding "${encoding}" is not known`, {
    description: 'Use a name such as utf8, utf16le, latin1, windows-1252, shift_jis or gbk.',
  });
}
