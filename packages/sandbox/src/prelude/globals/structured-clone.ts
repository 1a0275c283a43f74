/** Deep copy of data, like `structuredClone`. @throws TypeError for functions and symbols */
export function structuredCloneOf(value: unknown, known = new Map<object, unknown>()): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`${String(value)} could not be cloned.`);
  if (typeof value !== 'object' || value === null) return value;
  if (known.has(value)) return known.get(value);
  const remember = <T extends object>(copy: T): T => {
    known.set(value, copy);
    return copy;
  };
  const clone = (entry: unknown): unknown => structuredCloneOf(entry, known);
  if (value instanceof Date) return remember(new Date(value.getTime()));
  if (value instanceof RegExp) {
    // Not linear: an expression of the code itself, in its own process.
    return remember(new RegExp(value.source, value.flags));
  }
  if (value instanceof Map) {
    const copy = remember(new Map<unknown, unknown>());
    for (const [key, entry] of value) copy.set(clone(key), clone(entry));
    return copy;
  }
  if (value instanceof Set) {
    const copy = remember(new Set<unknown>());
    for (const entry of value) copy.add(clone(entry));
    return copy;
  }
  if (value instanceof ArrayBuffer) return remember(value.slice(0));
  if (value instanceof Uint8Array) return remember(new Uint8Array(value));
  if (value instanceof Error) return remember(new Error(value.message));
  const copy: Record<string, unknown> | unknown[] = remember(Array.isArray(value) ? [] : {});
  for (const [key, entry] of Object.entries(value))
    Object.defineProperty(copy, key, { value: clone(entry), writable: true, configurable: true, enumerable: true });
  return copy;
}
