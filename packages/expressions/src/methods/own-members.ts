import { toKey, toText } from '../runtime/convert';
import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { FunctionValue } from '../runtime/values/function-value';
import { hasOwnFields } from '../runtime/kinds';
import { RegexValue } from '../regex/regex-value';
import { VirtualObject } from '../runtime/values/virtual-object';
import { ErrorValue } from '../runtime/thrown';
import type { Method, MethodTable } from './method';
import { isArray, isDateTime, isDuration, isInterval } from './type-tests';

/** Own fields of values whose fields are not data: those that JavaScript and luxon give them. */
const OWN_OF: readonly (readonly [isOfType: (value: unknown) => boolean, names: readonly string[]])[] = [
  [isDateTime, ['ts', '_zone', 'loc', 'invalid', 'weekData', 'localWeekData', 'c', 'o', 'isLuxonDateTime']],
  [isDuration, ['values', 'loc', 'conversionAccuracy', 'invalid', 'matrix', 'isLuxonDuration']],
  [isInterval, ['s', 'e', 'invalid', 'isLuxonInterval']],
  [(value) => value instanceof FunctionValue, ['length', 'name', 'prototype']],
  [(value) => value instanceof RegexValue, ['lastIndex']],
  [(value) => value instanceof ErrorValue, ['message', 'stack']],
];

/** True if `key` is an own field of a value, as `Object.hasOwn` sees it. */
export function isOwnMember(run: Run, self: unknown, key: string): boolean {
  if (typeof self === 'string') return key === 'length' || isIndex(key, self.length);
  if (isArray(self) && key === 'length') return true;
  if (hasOwnFields(self)) return Object.hasOwn(self, key);
  if (self instanceof VirtualObject) return self.has(run, key);
  const [, names = []] = OWN_OF.find(([isOfType]) => isOfType(self)) ?? [];
  return names.includes(key);
}

function isIndex(key: string, length: number): boolean {
  const index = Number(key);
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === key;
}

/** True if `Object.keys` lists an own field. */
function isListed(run: Run, self: unknown, [given]: Arguments): boolean {
  const key = toKey(run, given);
  return key !== 'length' && isOwnMember(run, self, key);
}

/** Methods that values of every type have: there is no other way to `Object.prototype`. */
export const ownMemberMethods: MethodTable = new Map<string, Method>([
  ['hasOwnProperty', (run, self, [key]) => isOwnMember(run, self, toKey(run, key))],
  ['isPrototypeOf', () => false],
  ['propertyIsEnumerable', isListed],
  ['toLocaleString', (run, self) => toText(run, self)],
  ['toString', (run, self) => toText(run, self)],
  ['valueOf', (_run, self) => self],
]);
