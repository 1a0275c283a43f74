/** An argument as an object. @throws TypeError */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('An object is expected');
  return Object.fromEntries(Object.entries(value));
}

/** An argument as a string. @throws TypeError */
export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('A string is expected');
  return value;
}
