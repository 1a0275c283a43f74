import { arrayConstructor, numericArrays } from './array';
import { bufferConstructors } from './buffers';
import { collectionConstructors } from './collections';
import { convenienceFunctions } from './convenience';
import { dateConstructor } from './date';
import { errorConstructors } from './errors';
import { intlNamespace } from './intl';
import { luxonClasses } from './luxon';
import { mathNamespace } from './math';
import { objectConstructor } from './object';
import { booleanConstructor, numberConstructor, numberFunctions, stringConstructor } from './primitives';
import { regexpConstructor } from './regexp';
import { textFunctions } from './text-functions';
import { urlConstructors } from './url';
import { toText } from '../runtime/convert';
import { NativeConstructor, NativeFunction, nativeFunctions } from '../runtime/values/function-value';
import { jsonStyle, stringifyJson } from '../runtime/data/json';
import { parseJson } from '../runtime/data/parse-json';
import { Namespace } from '../runtime/values/virtual-object';

/** `JSON`. */
const jsonNamespace = new Namespace(
  nativeFunctions({
    parse: (run, [text, reviver]) => parseJson(run, toText(run, text), reviver),
    stringify: (run, [value, replacer, space]) => stringifyJson(run, value, jsonStyle(run, replacer, space)),
  }),
);

/** Values of the names that an expression does not declare itself: the same in every evaluation. */
const GLOBALS: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  Object.entries({
    ...bufferConstructors,
    ...collectionConstructors,
    ...convenienceFunctions,
    ...errorConstructors,
    ...luxonClasses,
    ...numberFunctions,
    ...numericArrays,
    ...textFunctions,
    ...urlConstructors,
    Array: arrayConstructor,
    Boolean: booleanConstructor,
    Date: dateConstructor,
    Infinity,
    Intl: intlNamespace,
    JSON: jsonNamespace,
    Math: mathNamespace,
    NaN: Number.NaN,
    Number: numberConstructor,
    Object: objectConstructor,
    RegExp: regexpConstructor,
    String: stringConstructor,
  }),
);

/** The names of all functions that are globals, or fields of one. */
export function globalNames(): { readonly name: string; readonly isConstructor: boolean }[] {
  return [...GLOBALS].flatMap(([name, value]) => namesIn(name, value));
}

function namesIn(name: string, value: unknown): ReturnType<typeof globalNames> {
  if (value instanceof Namespace) return value.entries().flatMap(([key, member]) => namesIn(`${name}.${key}`, member));
  if (!(value instanceof NativeFunction)) return [];
  const own = { name, isConstructor: value instanceof NativeConstructor };
  return [own, ...value.memberNames().map((key) => ({ name: `${name}.${key}`, isConstructor: false }))];
}

/** The value of a global; undefined if no global has the name. */
export function globalValue(name: string): unknown {
  return GLOBALS.get(name);
}
