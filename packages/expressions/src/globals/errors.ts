import { toText } from '../runtime/convert';
import { NativeConstructor } from '../runtime/values/function-value';
import { isPlainObject } from '../runtime/kinds';
import { ErrorValue } from '../runtime/thrown';

const NAMES = ['Error', 'EvalError', 'RangeError', 'ReferenceError', 'SyntaxError', 'TypeError', 'URIError'] as const;

/** The error constructors. */
export const errorConstructors: Readonly<Record<string, NativeConstructor>> = Object.fromEntries(
  NAMES.map((name) => [
    name,
    new NativeConstructor(name, 1, {
      construct: (run, [message, options]) =>
        new ErrorValue(
          name,
          message === undefined ? '' : toText(run, message),
          isPlainObject(options) && Object.hasOwn(options, 'cause') ? options['cause'] : undefined,
        ),
      isInstance: (value) => value instanceof ErrorValue && (name === 'Error' || value.name === name),
    }),
  ]),
);
