import { isArray, isPlainObject } from '../../runtime/kinds';

/** True for undefined, null, the empty text, a list without entries and an object without fields. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}
