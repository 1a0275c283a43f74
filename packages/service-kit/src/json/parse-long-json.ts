import type { Json } from './json';
import { JSON_LIMITS, type JsonLimits, parseInParts, parseJson } from './parse-json';

/** Bytes of JSON that are parsed at once. What is longer takes a turn first: much may come in one round of the loop. */
export const SHORT_BYTES = 64 * 1024;

/** Resolves when whoever works for long may have the thread. */
export type TakeTurn = () => Promise<void>;

/**
 * Parses JSON from outside as `parseJson` does, and takes turns at the thread before each part of a long one.
 * @throws as parseJson
 */
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
