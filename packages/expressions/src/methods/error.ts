import { toText } from '../runtime/convert';
import type { Run } from '../runtime/run';
import { ErrorValue } from '../runtime/thrown';
import { methodTable } from './method';

const isError = (value: unknown): value is ErrorValue => value instanceof ErrorValue;

/** Methods of errors. */
export const errorMethods = methodTable('Error', isError, {
  toString: (run: Run, self: ErrorValue) => toText(run, self),
});
