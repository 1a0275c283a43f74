import { type Method, methodTable } from '../method';
import { isArray, isPlainObject } from '../../runtime/kinds';
import { isBoolean } from '../type-tests';

/** True for undefined, null, the empty text, a list without entries and an object without fields. */
export function isEmptyValue(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}

/** Methods that every value has, undefined and null included. Zero, NaN and false count as empty. */
export const genericExtensions: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['isEmpty', (_run, self) => !self || isEmptyValue(self)],
  ['isNotEmpty', (_run, self) => Boolean(self) && !isEmptyValue(self)],
]);

/** Methods that expressions add to booleans. */
export const booleanExtensions = methodTable('Boolean', isBoolean, {
  toBoolean: (_run, self) => self,
  toDateTime: () => undefined,
  toFloat: (_run, self) => Number(self),
  toInt: (_run, self) => Number(self),
  toNumber: (_run, self) => Number(self),
});
