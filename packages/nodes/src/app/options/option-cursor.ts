import { isJsonObject, type Json, parseJson } from '@weft/service-kit/json';

/** Where a page of options begins. */
export interface OptionCursor {
  /** Cursor of the service's page; undefined on the first one. */
  readonly next: Json | undefined;
  /** Entries of the service's page that earlier answers contained. */
  readonly skip: number;
}

/** Maximum number of characters of a cursor. */
export const MAX_CURSOR = 4_000;

export const FIRST_PAGE: OptionCursor = { next: undefined, skip: 0 };

export const cursorText = ({ next, skip }: OptionCursor): string =>
  Buffer.from(JSON.stringify({ ...(next === undefined ? {} : { next }), skip })).toString('base64url');

/** Reads a cursor; undefined for one that no answer contained. */
export function readCursor(text: string): OptionCursor | undefined {
  if (text === '') return FIRST_PAGE;
  if (text.length > MAX_CURSOR) return undefined;
  try {
    const value = parseJson(Buffer.from(text, 'base64url'));
    const skip = isJsonObject(value) ? value['skip'] : undefined;
    if (!isJsonObject(value) || typeof skip !== 'number' || !Number.isInteger(skip) || skip < 0) return undefined;
    const { next } = value;
    const isPlain = next === undefined || typeof next === 'string' || typeof next === 'number';
    return isPlain ? { next, skip } : undefined;
  } catch {
    return undefined;
  }
}
