import { toNumber, toText } from '../../runtime/convert';
import { asFunction } from '../../runtime/values/function-value';
import type { Run } from '../../runtime/run';
import { compareTexts } from '../../runtime/texts';

/** A sorted copy, as `Array.prototype.sort` orders it: by text, or by what `compare` says; undefined comes last. */
export function sorted(run: Run, list: readonly unknown[], compare: unknown): unknown[] {
  run.allowEntries(list.length);
  const present = list.filter((entry) => entry !== undefined);
  const absent = Array.from({ length: list.length - present.length }, () => undefined);
  if (compare === undefined) return [...sortedByText(run, present), ...absent];
  const order = asFunction(compare, 'The comparison function');
  present.sort((a, b) => toNumber(run, order.call(run, undefined, [a, b])) || 0);
  return [...present, ...absent];
}

function sortedByText(run: Run, list: readonly unknown[]): unknown[] {
  const withText = list.map((entry) => ({ entry, text: toText(run, entry) }));
  run.work((list.length * Math.ceil(Math.log2(list.length + 1))) >> 2);
  withText.sort((a, b) => compareTexts(run, a.text, b.text));
  return withText.map(({ entry }) => entry);
}

/**
 * Replaces `count` entries of a list at `start`, as `splice` does; returns the removed ones. Makes no host call with as
 * many arguments as there are entries, which would overflow the stack.
 */
export function insertAt(list: unknown[], start: number, count: number, entries: readonly unknown[]): unknown[] {
  const from = start < 0 ? Math.max(0, list.length + start) : Math.min(start, list.length);
  const removed = list.splice(from, Math.max(0, count));
  const tail = list.splice(from);
  for (const entry of entries) list.push(entry);
  for (const entry of tail) list.push(entry);
  return removed;
}
