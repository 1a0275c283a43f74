import { LIMITS } from '../../limits';
import { RegexValue } from '../../regex/regex-value';
import { toInteger, toNumber, toText } from '../convert';
import { isArray, isPlainObject } from '../kinds';
import { forbidden, isForbiddenName } from '../names';
import type { Run } from '../run';
import { overBudget } from '../run';
import { ErrorValue, rangeError, typeError } from '../thrown';

/**
 * Sets `object[key]`. Only data that the expression made, or copies, are changed: the scope's data never is.
 * @throws Thrown TypeError for values that have no fields to set
 */
export function writeMember(run: Run, object: unknown, key: string, value: unknown): void {
  if (isArray(object)) return writeEntry(run, object, key, value);
  if (isPlainObject(object)) {
    run.mustOwn(object);
    if (isForbiddenName(key)) throw forbidden(key);
    run.step(1);
    object[key] = value;
    return;
  }
  if (object instanceof RegexValue && key === 'lastIndex') object.lastIndex = toInteger(run, value);
  else if (object instanceof ErrorValue && (key === 'message' || key === 'name')) object[key] = toText(run, value);
  else throw typeError(`Cannot set property '${key}'`);
}

/** Removes `object[key]`; no effect if there is no such field. */
export function deleteMember(run: Run, object: unknown, key: string): boolean {
  if (!isArray(object) && !isPlainObject(object)) throw typeError(`Cannot delete property '${key}'`);
  if (!Object.hasOwn(object, key)) return true;
  run.mustOwn(object);
  if (isArray(object)) {
    if (key === 'length') return false;
    object[Number(key)] = undefined;
    return true;
  }
  delete object[key];
  return true;
}

function writeEntry(run: Run, list: unknown[], key: string, value: unknown): void {
  run.mustOwn(list);
  if (key === 'length') return setLength(run, list, toNumber(run, value));
  const index = Number(key);
  if (!Number.isInteger(index) || index < 0 || String(index) !== key)
    throw typeError(`An array has no field '${key}' to set`);
  if (index >= list.length) setLength(run, list, index + 1);
  list[index] = value;
}

function setLength(run: Run, list: unknown[], length: number): void {
  if (!Number.isInteger(length) || length < 0) throw rangeError('Invalid array length');
  if (length > LIMITS.arrayLength) throw overBudget(`makes an array of more than ${LIMITS.arrayLength} entries`);
  run.work(Math.max(1, length - list.length));
  const before = list.length;
  list.length = length;
  if (length > before) list.fill(undefined, before);
}
