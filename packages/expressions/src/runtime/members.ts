import { dateExtensions } from '../methods/extensions/date';
import { EXTENSION_OWNERS } from '../methods/extensions/owners';
import { kindOf } from '../methods/kind-of';
import type { Method } from '../methods/method';
import { ExpressionError } from '../errors';
import { FunctionValue, NativeFunction, type Arguments } from './values/function-value';
import { hasOwnFields } from './kinds';
import { forbidden, isForbiddenName, isNameOfCalls } from './names';
import type { Run } from './run';
import { typeError } from './thrown';
import { VirtualObject } from './values/virtual-object';

/**
 * Reads `object[key]`. Only own fields of data, and the members that the language gives to a type, can be read.
 * `key` must not be a forbidden name that came from computing: use `checkedKey` for those.
 * @throws Thrown TypeError on null and undefined
 */
export function readMember(run: Run, object: unknown, key: string): unknown {
  if (typeof object === 'string') return readOfString(object, key);
  if (object === null || object === undefined)
    throw typeError(`Cannot read properties of ${object} (reading '${key}')`);
  if (hasOwnFields(object)) {
    if (Object.hasOwn(object, key)) return object[key];
  } else if (object instanceof VirtualObject) return object.get(run, key);
  return readOfType(object, key);
}

/** The name as it may be used for a member. @throws ExpressionError `security` */
export function checkedKey(key: string): string {
  if (isForbiddenName(key)) throw forbidden(key);
  return key;
}

/** Calls `object[key](...args)`. */
export function callMember(run: Run, object: unknown, key: string, args: Arguments): unknown {
  const own = hasOwnFields(object) && Object.hasOwn(object, key) ? object[key] : undefined;
  if (own instanceof FunctionValue) return own.call(run, object, args);
  const method = methodOf(object, key);
  if (method !== undefined) {
    run.step(1);
    return method(run, object, args);
  }
  if ((object === null || object === undefined) && EXTENSION_OWNERS.has(key)) throw notCallable(object, key);
  const callee = readMember(run, object, key);
  if (callee instanceof FunctionValue) return callee.call(run, object, args);
  throw notCallable(object, key);
}

/** True if `object[key]` can be called. */
export function isCallableMember(run: Run, object: unknown, key: string): boolean {
  return methodOf(object, key) !== undefined || readMember(run, object, key) instanceof FunctionValue;
}

function methodOf(object: unknown, key: string): Method | undefined {
  const method = kindOf(object).methods.get(key);
  if (method !== undefined || typeof object !== 'string') return method;
  return looksLikeIsoDate(object) ? dateExtensions.get(key) : undefined;
}

function readOfString(text: string, key: string): unknown {
  if (key === 'length') return text.length;
  const index = Number(key);
  if (Number.isInteger(index) && index >= 0 && String(index) === key) return text[index];
  return readOfType(text, key);
}

function readOfType(object: unknown, key: string): unknown {
  if (object instanceof FunctionValue && isNameOfCalls(key)) throw forbidden(key);
  const kind = kindOf(object);
  const value = typeof object === 'object' && object !== null ? kind.field(object, key) : undefined;
  if (value !== undefined || !kind.native.has(key)) return value;
  return new NativeFunction(key, 0, (run, self, args) => callMember(run, self ?? object, key, args));
}

function notCallable(object: unknown, key: string): Error | ReturnType<typeof typeError> {
  const owners = EXTENSION_OWNERS.get(key);
  if (owners === undefined) return typeError(`${key} is not a function`);
  if (object === null || object === undefined) {
    return new ExpressionError(`${key} can't be used on ${object} value`, {
      type: 'type',
      description: `To get undefined instead of this error, put a ? before the dot: value?.${key}()`,
    });
  }
  return new ExpressionError(`${key}() is only callable on type ${owners.map((owner) => `"${owner}"`).join(', ')}`, {
    type: 'type',
  });
}

const ISO_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * True for a string as `Date.prototype.toISOString` writes it: dates in JSON look like this, and have the methods of
 * dates.
 */
export function looksLikeIsoDate(text: string): boolean {
  return text.length === 24 && ISO_INSTANT.test(text) && !Number.isNaN(Date.parse(text));
}
