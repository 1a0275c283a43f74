/**
 * True for an object that is nothing but fields: a JSON object, or one an expression made. Instances of classes are
 * not.
 */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Determined by shape, not identity: data may have been parsed in another realm. Only Object.prototype has no own
  // prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** True for a list or a plain object: what an expression may read own fields of. */
export function hasOwnFields(value: unknown): value is Record<string, unknown> {
  return Array.isArray(value) || isPlainObject(value);
}

/** An array of unknown elements. */
export function isArray(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
