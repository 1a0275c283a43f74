import type { Run } from './run';

/** Characters that are compared without being counted. */
const UNCOUNTED = 256;
/** Characters that are compared between two counts. */
const PIECE = 4_096;
/** Cost of comparing a character. */
export const COMPARE_NS = 0.2;

/** The order of two strings by their code units, as `<` has it: negative, 0 or positive. Counts what it reads. */
export function compareTexts(run: Run, a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  if (length <= UNCOUNTED) return order(a, b);
  const first = order(a.slice(0, UNCOUNTED), b.slice(0, UNCOUNTED));
  if (first !== 0) return first;
  for (let at = UNCOUNTED; at < length; at += PIECE) {
    run.read(PIECE, COMPARE_NS);
    const result = order(a.slice(at, at + PIECE), b.slice(at, at + PIECE));
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `a === b`. Counts the characters that two long strings of the same length may have in common. */
export function isSame(run: Run, a: unknown, b: unknown): boolean {
  countEqual(run, a, b);
  return a === b;
}

/** Counts what a comparison of two values for equality may read. */
export function countEqual(run: Run, a: unknown, b: unknown): void {
  if (typeof a === 'string' && typeof b === 'string' && a.length === b.length && a.length > UNCOUNTED)
    run.read(a.length, COMPARE_NS);
}

/** From this length on, V8 tells strings that are keys apart by their lengths only, and then compares them. */
const UNHASHED = 16_384;
const HASH_NS = 0.5;

/** Counts the use of a value as a key of a map or a set. */
export function countKey(run: Run, key: unknown): void {
  if (typeof key !== 'string' || key.length <= UNCOUNTED) return;
  run.read(key.length, HASH_NS);
  if (key.length >= UNHASHED) run.checkClockSoon();
}

/** Counts the use of values as keys by a function that does not return in between. */
export function countKeys(run: Run, keys: readonly unknown[]): void {
  let unhashed = 0;
  for (const key of keys) {
    countKey(run, key);
    if (typeof key === 'string' && key.length >= UNHASHED) run.read(key.length * unhashed++, COMPARE_NS);
  }
}
