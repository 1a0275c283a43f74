import { toText } from '../runtime/convert';
import { isPlainObject } from '../runtime/kinds';
import type { Run } from '../runtime/run';
import { methodTable } from './method';
import { ErrorValue } from '../runtime/thrown';

type Fields = Record<string, unknown>;

/** Methods of JavaScript objects. An own field of the same name comes before them. */
export const objectNativeMethods = methodTable('Object', isPlainObject, {
  toLocaleString: () => '[object Object]',
  toString: () => '[object Object]',
  valueOf: (_run: Run, self: Fields) => self,
});

const isError = (value: unknown): value is ErrorValue => value instanceof ErrorValue;

/** Methods of errors. */
export const errorMethods = methodTable('Error', isError, {
  toString: (run: Run, self: ErrorValue) => toText(run, self),
});
