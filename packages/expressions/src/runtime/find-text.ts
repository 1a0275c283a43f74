import type { Run } from './run';

/**
 * Longest string that the engine's own search looks for in linear time. Beyond 250 characters its tables do not reach,
 * and it compares the same characters again at each place; backwards it has no tables at all.
 */
const MAX_FORWARD = 200;
const MAX_BACKWARD = 8;
const OWN_NS = 10;

/** `text.indexOf(sought, from)`, in time that is linear in both lengths. */
export function findText(run: Run, text: string, sought: string, from = 0): number {
  if (sought.length <= MAX_FORWARD || sought.length >= text.length) return text.indexOf(sought, from);
  const start = Math.min(Math.max(from, 0), text.length);
  run.read(text.length - start + sought.length, OWN_NS);
  return search(text, sought, start, text.length, false);
}

/** `text.lastIndexOf(sought, from)`, in time that is linear in both lengths. */
export function findLastText(run: Run, text: string, sought: string, from = Infinity): number {
  if (sought.length <= MAX_BACKWARD || sought.length >= text.length) return text.lastIndexOf(sought, from);
  const end = Math.min(text.length, Math.max(from, 0) + sought.length);
  run.read(end + sought.length, OWN_NS);
  return search(text, sought, 0, end, true);
}

/** The first or the last place in `text`, from `start` to `end`: Knuth, Morris and Pratt. */
function search(text: string, sought: string, start: number, end: number, last: boolean): number {
  const borders = bordersOf(sought);
  let matched = 0;
  let found = -1;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== sought.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (code === sought.charCodeAt(matched)) matched += 1;
    if (matched < sought.length) continue;
    found = at - matched + 1;
    if (!last) return found;
    matched = borders[matched - 1] ?? 0;
  }
  return found;
}

/** For each prefix of the string: the length of the longest shorter prefix that it ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (length > 0 && code !== text.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (code === text.charCodeAt(length)) length += 1;
    borders[at] = length;
  }
  return borders;
}
