import { NodeFailure } from '@weft/engine';
import type { Json } from '@weft/node-catalogue';

/** Bytes of base64 text, and the media type if the text is a `data:` address that names one. */
export interface DecodedBase64 {
  readonly bytes: Buffer;
  readonly mimeType?: string;
}

/** Longest head of a `data:` address in characters. */
const MAX_HEAD = 1_000;

const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/;

/**
 * Decodes base64, also in the URL-safe alphabet, with line breaks or without padding, and `data:` addresses.
 * @returns undefined for any other text, which a lenient decoder would turn into arbitrary bytes
 */
export function decodeBase64(text: string): DecodedBase64 | undefined {
  return startsAsAddress(text) ? decodeAddress(text.trimStart()) : decodePlain(text);
}

/**
 * Decodes the base64 of a field.
 * @param source name of the field
 * @throws NodeFailure for anything else
 */
export function decodeBase64Field(value: Json, source: string, itemIndex: number): DecodedBase64 {
  const decoded = typeof value === 'string' ? decodeBase64(value) : undefined;
  if (decoded !== undefined) return decoded;
  throw new NodeFailure(`The value in "${source}" is not a base64 string`, { itemIndex });
}

/** True for a `data:` address. */
export function startsAsAddress(text: string): boolean {
  return /^\s{0,100}data:/i.test(text.slice(0, 110));
}

function decodeAddress(text: string): DecodedBase64 | undefined {
  const comma = text.slice(0, MAX_HEAD).indexOf(',');
  if (comma < 0) return undefined;
  const [type = '', ...parameters] = text
    .slice('data:'.length, comma)
    .split(';')
    .map((part) => part.trim());
  const content = text.slice(comma + 1);
  const isBase64 = parameters.at(-1)?.toLowerCase() === 'base64';
  const bytes = isBase64 ? decodePlain(content.includes('%') ? unescaped(content) : content)?.bytes : percent(content);
  if (bytes === undefined) return undefined;
  return { bytes, ...(MEDIA_TYPE.test(type) ? { mimeType: type.toLowerCase() } : {}) };
}

function decodePlain(text: string | undefined): DecodedBase64 | undefined {
  if (text === undefined) return undefined;
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
  const end = compact.indexOf('=');
  const digits = end < 0 ? compact : compact.slice(0, end);
  const padding = end < 0 ? '' : compact.slice(end);
  if (padding.length > 2 || !/^=*$/.test(padding) || digits.length % 4 === 1 || /[^A-Za-z0-9+/_-]/.test(digits))
    return undefined;
  return { bytes: Buffer.from(digits, 'base64') };
}

function unescaped(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function percent(content: string): Buffer | undefined {
  const text = unescaped(content);
  return text === undefined ? undefined : Buffer.from(text);
}
