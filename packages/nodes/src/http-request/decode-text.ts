import { TextDecoder } from 'node:util';

/** Number of bytes at the start of a page in which it may declare its encoding. */
const SNIFF_BYTES = 1_024;
const DEFAULT = 'utf-8';
/** Fallback encoding of text that is not UTF-8 and declares none, as in browsers. */
const FALLBACK = 'windows-1252';

/**
 * The text of a body: by the charset of the content type, else by the declaration in an HTML or XML head, else UTF-8,
 * else Windows-1252. Never fails: invalid bytes become replacement characters.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const given = decoderFor(charsetOf(contentType)) ?? decoderFor(charsetInHead(bytes, contentType));
  if (given !== undefined) return given.decode(bytes);
  try {
    return new TextDecoder(DEFAULT, { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8, so the fallback is a better guess than replacement characters.
    return new TextDecoder(FALLBACK).decode(bytes);
  }
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
}

function charsetInHead(bytes: Uint8Array, contentType: string): string | undefined {
  if (!/html|xml/i.test(contentType)) return undefined;
  const head = Buffer.from(bytes.subarray(0, SNIFF_BYTES)).toString('latin1');
  // At most 1,024 characters, see SNIFF_BYTES.
  return (/<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head) ??
    /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]+)/i.exec(head))?.[1];
}

function decoderFor(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    // An unknown label is ignored.
    return undefined;
  }
}
