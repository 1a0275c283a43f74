/** An object of a parsed JSON text. */
export type JsonPart = Readonly<Record<string, unknown>>;

/** True for objects that are not lists. */
export const isPart = (value: unknown): value is JsonPart =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object at a path; undefined if there is none. */
export const partAt = (value: unknown, ...path: readonly string[]): JsonPart | undefined => {
  const [first, ...rest] = path;
  if (!isPart(value)) return undefined;
  return first === undefined ? value : partAt(value[first], ...rest);
};

/** The array of strings at a path; empty if there is none. */
export const textsAt = (value: unknown, ...path: readonly string[]): readonly string[] => {
  const last = path.at(-1) ?? '';
  const found = partAt(value, ...path.slice(0, -1))?.[last];
  return Array.isArray(found) ? found.filter((one) => typeof one === 'string') : [];
};
