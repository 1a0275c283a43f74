import type { Json } from './json';
import { JSON_LIMITS, type JsonLimits, parseInParts, parseJson } from './parse-json';

/** Maximum bytes of JSON parsed at once. Longer text yields first, because much may arrive in one tick. */
export const SHORT_BYTES = 64 * 1024;

/** Resolves when the caller's next slice of work may run. */
export type TakeTurn = () => Promise<void>;

/** Parses untrusted JSON like `parseJson`, and yields before each part of a long text. @throws as parseJson */
export const parseLongJson = async (
  bytes: Buffer,
  takeTurn: TakeTurn,
  limits: JsonLimits = JSON_LIMITS,
): Promise<Json> => {
  if (bytes.length <= SHORT_BYTES) return parseJson(bytes, limits);
  const parts = parseInParts(bytes, limits);
  for (;;) {
    await takeTurn();
    const part = parts.next();
    if (part.done === true) return part.value;
  }
};
