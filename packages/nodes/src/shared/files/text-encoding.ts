import { isUtf8 } from 'node:buffer';
import { decode, encode, encodingExists } from 'iconv-lite';
import type { Encoding } from 'iconv-lite';
import { NodeFailure } from '@weft/engine';

/**
 * Decodes bytes in an encoding; `base64` and `hex` represent the bytes themselves.
 * @throws NodeFailure for an unknown encoding
 */
export function decodeText(bytes: Uint8Array, encoding: string, stripBom: boolean): string {
  return decode(Buffer.from(bytes), known(encoding), { stripBOM: stripBom });
}

/**
 * Guesses the encoding of text that declares none: by its byte order mark, else UTF-8 if the bytes are valid, else
 * Windows-1252, which accepts any bytes.
 */
export function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf16le';
  if (first === 0xfe && second === 0xff) return 'utf16be';
  return isUtf8(bytes) ? 'utf8' : 'windows-1252';
}

/**
 * Encodes a string. A byte order mark is written for Unicode encodings only; utf16 and utf32, which leave the byte
 * order open, always have one.
 * @throws NodeFailure for an unknown encoding
 */
export function encodeText(text: string, encoding: string, addBom: boolean): Uint8Array {
  return encode(text, known(encoding), addBom ? { addBOM: true } : {});
}

function known(encoding: string): Encoding {
  const name = encoding === '' ? 'utf8' : encoding;
  if (encodingExists(name)) return name;
  throw new NodeFailure(`Unknown encoding "${encoding}"`, {
    description: 'Use a name such as utf8, utf16le, latin1, windows-1252, shift_jis or gbk.',
  });
}
