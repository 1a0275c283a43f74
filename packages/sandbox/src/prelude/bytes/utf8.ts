/** Number of characters joined at once: a call takes a limited number of arguments. */
const CHUNK = 4_096;
const REPLACEMENT = 0xfffd;

/** Encodes a string as UTF-8. A lone surrogate becomes the replacement character. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let end = 0;
  for (let index = 0; index < text.length; index += 1) {
    let code = text.codePointAt(index) ?? REPLACEMENT;
    if (code > 0xffff) index += 1;
    if (code >= 0xd800 && code <= 0xdfff) code = REPLACEMENT;
    if (code < 0x80) {
      bytes[end++] = code;
      continue;
    }
    if (code >= 0x10000) bytes[end++] = 0xf0 | (code >> 18);
    if (code >= 0x800) bytes[end++] = code >= 0x10000 ? 0x80 | ((code >> 12) & 0x3f) : 0xe0 | (code >> 12);
    bytes[end++] = code >= 0x800 ? 0x80 | ((code >> 6) & 0x3f) : 0xc0 | (code >> 6);
    bytes[end++] = 0x80 | (code & 0x3f);
  }
  return bytes.slice(0, end);
}

/** Decodes UTF-8. Invalid bytes become the replacement character. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = '';
  let chunk: number[] = [];
  for (let index = 0; index < bytes.length;) {
    const { code, length } = readCharacter(bytes, index);
    index += length;
    chunk.push(code);
    if (chunk.length < CHUNK) continue;
    text += String.fromCodePoint(...chunk);
    chunk = [];
  }
  return text + String.fromCodePoint(...chunk);
}

function readCharacter(bytes: Uint8Array, index: number): { code: number; length: number } {
  const first = bytes[index] ?? 0;
  if (first < 0x80) return { code: first, length: 1 };
  const length =
    first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xc2 && first < 0xe0 ? 2 : 0;
  let code = length === 4 ? first & 0x07 : length === 3 ? first & 0x0f : first & 0x1f;
  if (length === 0) return { code: REPLACEMENT, length: 1 };
  for (let offset = 1; offset < length; offset += 1) {
    const next = bytes[index + offset];
    if (next === undefined || (next & 0xc0) !== 0x80 || (offset === 1 && isOverlong(first, next)))
      return { code: REPLACEMENT, length: offset };
    code = (code << 6) | (next & 0x3f);
  }
  return { code, length };
}

/** True for second bytes of an overlong form, a surrogate, or a code point beyond Unicode. */
function isOverlong(first: number, second: number): boolean {
  return (
    (first === 0xe0 && second < 0xa0) ||
    (first === 0xed && second > 0x9f) ||
    (first === 0xf0 && second < 0x90) ||
    (first === 0xf4 && second > 0x8f)
  );
}
