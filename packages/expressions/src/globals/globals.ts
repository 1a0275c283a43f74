import { arrayConstructor, numericArrays } from './array';
import { collectionConstructors } from './collections';
import { convenienceFunctions } from './convenience';
import { dateConstructor } from './date';
import { errorConstructors } from './errors';
import { intlNamespace } from './intl';
import { jsonNamespace } from './json';
import { luxonClasses } from './luxon';
import { mathNamespace } from './math';
import { objectConstructor } from './object';
import { booleanConstructor, numberConstructor, numberFunctions, stringConstructor } from './primitives';
import { regexpConstructor } from './regexp';
import { textFunctions } from './text-functions';
import { urlConstructors } from './url';

/** What a name means wherever an expression does not declare it itself: the same in every evaluation. */
const GLOBALS: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  Object.entries({
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

/** The value of a global; undefined if there is none of that name. */
export function globalValue(name: string): unknown {
  return GLOBALS.get(name);
}
