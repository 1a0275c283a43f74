import type { Delta } from '@weft/proto/events';
import { createBoundedCache } from '@weft/service-kit/caching';
import { randomInt } from 'node:crypto';

/** Characters of a part: a message over NATS has room for them in any encoding. */
const PART_CHARACTERS = 20_000;
/** Messages whose parts are collected at the same time, and characters of one. */
const MAX_OPEN = 20;
const MAX_CHARACTERS = 2_000_000;
const MAX_KNOWN = 1_000;
const MAX_NUMBER = 2 ** 32;

/** The end of the part that begins here, which is not within a character. */
const partEnd = (text: string, offset: number): number => {
  const end = offset + PART_CHARACTERS;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 && end < text.length ? end - 1 : end;
};

/** The parts of a message, in order. Each message has two numbers that no other one of its session has. */
export const partsOf = (text: string): Delta[] => {
  const head = { node: '', nodeId: '', run: 0, item: 0, attempt: randomInt(MAX_NUMBER), number: randomInt(MAX_NUMBER) };
  const parts: Delta[] = [];
  for (let offset = 0; offset < text.length;) {
    const part = text.slice(offset, partEnd(text, offset));
    parts.push({ ...head, offset, text: part, ends: offset + part.length === text.length });
    offset += part.length;
  }
  return parts;
};

/**
 * Puts messages together whose parts arrive in order, once or several times.
 * @param onMissing called if a part is missing: its message is lost
 * @returns the message that a part completes
 */
export const createJoiner = (onMissing: () => void): ((part: Delta) => string | undefined) => {
  const open = new Map<string, string>();
  const known = createBoundedCache<string, true>({ maxEntries: MAX_KNOWN });
  const close = (key: string): void => {
    open.delete(key);
    known.set(key, true);
  };
  return function join({ attempt, number, offset, text, ends }) {
    const key = `${attempt}.${number}`;
    if (known.get(key) !== undefined) return undefined;
    const before = open.get(key) ?? '';
    const isTooMuch = (!open.has(key) && open.size >= MAX_OPEN) || offset + text.length > MAX_CHARACTERS;
    if (offset > before.length || isTooMuch) {
      close(key);
      onMissing();
      return undefined;
    }
    const joined = before + text.slice(before.length - offset);
    const isComplete = ends && joined.length === offset + text.length;
    if (isComplete) close(key);
    else open.set(key, joined);
    return isComplete ? joined : undefined;
  };
};
