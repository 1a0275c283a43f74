import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decode, encodingExists } from 'iconv-lite';

/** Facts about a text in addition to its bytes. */
export interface TextHints {
  /** For example `text/csv; charset=iso-8859-1`. */
  readonly contentType?: string;
}

/** No decoder has this name. */
export class UnknownEncoding extends Error {
  constructor(readonly encoding: string) {
    super(`Unknown encoding "${encoding.slice(0, 100)}"`);
  }
}

/** Number of bytes at the start of a document in which it may declare its encoding. */
const SNIFF_BYTES = 1_024;

/** Encoding of text that is not UTF-8 and declares none, as in browsers: it accepts any bytes. */
const FALLBACK = 'windows-1252';

/** Byte order marks, the longer first. */
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Code pages of Windows that are supersets of encodings of the Encoding Standard, which decodes them. */
const CODE_PAGES: ReadonlyMap<string, string> = new Map([
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['utf16le', 'utf-16le'],
  ['ucs2', 'utf-16le'],
  ['ucs-2', 'utf-16le'],
  ['utf16be', 'utf-16be'],
]);

/** Names that mean something else in the Encoding Standard: the first 256 code points, or an open byte order. */
const OTHER_MEANING: ReadonlySet<string> = new Set(['latin1', 'binary', 'ascii', 'utf-16', 'utf16']);

/**
 * Decodes bytes. `base64` and `hex` represent the bytes themselves.
 * @param stripMark removes a byte order mark, which is otherwise the first character
 * @throws UnknownEncoding
 */
export function decodeBytes(bytes: Uint8Array, encoding: string, stripMark: boolean): string {
  const name = encoding.trim().toLowerCase();
  const decoder = OTHER_MEANING.has(name) ? undefined : decoderFor(CODE_PAGES.get(name) ?? name, stripMark);
  if (decoder !== undefined) return decoder.decode(bytes);
  if (!encodingExists(name)) throw new UnknownEncoding(encoding);
  return decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), name, { stripBOM: stripMark });
}

/**
 * Guesses the encoding of text: by its byte order mark, the charset of its content type, the declaration at the start
 * of an XML or HTML document, zero bytes in every other place (UTF-16), else UTF-8 if the bytes are valid, else
 * Windows-1252.
 */
export function guessEncoding(bytes: Uint8Array, { contentType = '' }: TextHints = {}): string {
  const [marked] = MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [];
  if (marked !== undefined) return marked;
  const declared = canonical(charsetOf(contentType)) ?? canonical(charsetInHead(bytes, contentType));
  return declared ?? unmarkedUtf16(bytes) ?? (isUtf8(bytes) ? 'utf-8' : FALLBACK);
}

function decoderFor(label: string, stripMark: boolean): TextDecoder | undefined {
  try {
    return new TextDecoder(label, { ignoreBOM: !stripMark });
  } catch {
    // Not a label of the Encoding Standard.
    return undefined;
  }
}

/** A charset by its name in the Encoding Standard, where latin1 is Windows-1252; undefined if it is unknown. */
function canonical(label: string | undefined): string | undefined {
  if (label === undefined) return undefined;
  return decoderFor(label, true)?.encoding ?? (encodingExists(label) ? label : undefined);
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType.slice(0, SNIFF_BYTES))?.[1];
}

function charsetInHead(bytes: Uint8Array, contentType: string): string | undefined {
  const head = Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString('latin1');
  const isDocument = /html|xml/i.test(contentType) || /^\s*<(?:\?xml|!doctype html|html|head|meta)\b/i.test(head);
  if (!isDocument) return undefined;
  // At most 1,024 characters: the head.
  return (/<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head) ??
    /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(head))?.[1];
}

/** UTF-16 without a mark, if nearly all characters at the start are ASCII: every other byte is zero. */
function unmarkedUtf16(bytes: Uint8Array): string | undefined {
  const head = bytes.subarray(0, SNIFF_BYTES);
  if (head.length < 4 || bytes.length % 2 !== 0) return undefined;
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const most = (head.length / 2) * 0.7;
  if (odd >= most && even === 0) return 'utf-16le';
  return even >= most && odd === 0 ? 'utf-16be' : undefined;
}
