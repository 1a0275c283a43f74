import { encode, encodingExists } from 'iconv-lite';
import type { Encoding } from 'iconv-lite';
import { NodeFailure } from '@weft/engine';
import { decodeBytes, guessEncoding, UnknownEncoding, type TextHints } from './decode-bytes';

const unknown = (encoding: string, cause?: unknown): NodeFailure =>
  new NodeFailure(`Unknown encoding "${encoding}"`, {
    description: 'Use a name such as utf8, utf16le, latin1, windows-1252, shift_jis or gbk.',
    cause,
  });

/**
 * Decodes the text of a file; an empty encoding is guessed from the content. `base64` and `hex` represent the bytes
 * themselves.
 * @throws NodeFailure for an unknown encoding
 */
export function decodeText(bytes: Uint8Array, encoding: string, stripBom: boolean, hints: TextHints = {}): string {
  try {
    return decodeBytes(bytes, encoding === '' ? guessEncoding(bytes, hints) : encoding, stripBom);
  } catch (error) {
    if (error instanceof UnknownEncoding) throw unknown(encoding, error);
    throw error;
  }
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
  throw unknown(encoding);
}
