import { decodeBytes, guessEncoding } from '../../files/decode-bytes';

/**
 * The text of a body: by its byte order mark, the charset of the content type, the declaration in an HTML or XML head,
 * else UTF-8, else Windows-1252. Never fails: invalid bytes become replacement characters.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  return decodeBytes(bytes, guessEncoding(bytes, { contentType }), true);
}
