/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for an object that is neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for a list. */
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const byCodeUnits = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** The same value with the keys of its objects sorted. Lists keep their order. */
export const sortKeys = (value: Json): Json => {
  if (isList(value)) return value.map(sortKeys);
  return isObject(value) ? sortMembers(value) : value;
};

/** The same object with its keys and those below sorted. */
export const sortMembers = (value: JsonObject): JsonObject =>
  objectOf(
    Object.entries(value)
      .sort(byCodeUnits)
      .map(([key, inner]) => [key, sortKeys(inner)]),
  );

/** An object of these members; `__proto__` is a member like any other. */
export const objectOf = (members: readonly (readonly [string, Json])[]): JsonObject => Object.fromEntries(members);

/** True if both are the same JSON, whatever the order of keys. */
export const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other ||
  (one !== undefined && other !== undefined && JSON.stringify(sortKeys(one)) === JSON.stringify(sortKeys(other)));
