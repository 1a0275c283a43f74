/**
 * Takes `count` entries out of a list at `start` and puts others in their place, as `splice` does; gives those taken
 * out.
 * Makes no host call with as many arguments as there are entries: that would overflow the stack.
 */
export function insertAt(list: unknown[], start: number, count: number, entries: readonly unknown[]): unknown[] {
  const from = start < 0 ? Math.max(0, list.length + start) : Math.min(start, list.length);
  const removed = list.splice(from, Math.max(0, count));
  const tail = list.splice(from);
  for (const entry of entries) list.push(entry);
  for (const entry of tail) list.push(entry);
  return removed;
}
