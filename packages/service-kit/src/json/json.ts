// Loads nothing, so that browsers can load it alone: `@weft/service-kit/json-values`.
/** Any value that JSON can represent. */
export type Json = null | boolean | number | string | Json[] | JsonObject;

/** A JSON object. Keys come from users: use `Object.hasOwn` where a name like `constructor` would matter. */
export interface JsonObject {
  [key: string]: Json;
}

/** True for an object with fields: not null, not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** {@link isObject} for values that are known to be JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** The own field `key` of a JSON object; undefined if the value is not an object or lacks the field. */
export function field(value: unknown, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The string under `key`, or undefined. */
export function textField(value: unknown, key: string): string | undefined {
  const found = field(value, key);
  return typeof found === 'string' ? found : undefined;
}

/** The finite number under `key`, or undefined. A string that looks like a number is not one. */
export function numberField(value: unknown, key: string): number | undefined {
  const found = field(value, key);
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
}

/** The boolean under `key`, or undefined. */
export function booleanField(value: unknown, key: string): boolean | undefined {
  const found = field(value, key);
  return typeof found === 'boolean' ? found : undefined;
}

/** The object under `key`, or undefined. */
export function objectField(value: unknown, key: string): JsonObject | undefined {
  const found = field(value, key);
  return isJsonObject(found) ? found : undefined;
}

/** The array under `key`, or an empty one. */
export function listField(value: unknown, key: string): readonly Json[] {
  const found = field(value, key);
  return Array.isArray(found) ? found : [];
}

/** True for the error thrown at run time when data is nested too deeply for recursion. */
export function isTooDeep(thrown: unknown): boolean {
  return thrown instanceof RangeError && thrown.message === 'Maximum call stack size exceeded';
}

/**
 * True for equal values, whatever the order of keys. The nesting of both must be bounded, as that of parsed definitions
 * is.
 */
export function isEqualJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, index) => isEqualJson(value, other[index]))
    );
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqualJson(one[key], other[key]))
  );
}
