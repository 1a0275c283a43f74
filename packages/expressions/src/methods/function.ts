import { FunctionValue, NativeFunction } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { toText } from '../runtime/convert';
import { isArray } from '../runtime/kinds';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';
import { methodTable } from './method';

const isFunction = (value: unknown): value is FunctionValue => value instanceof FunctionValue;

function apply(run: Run, self: FunctionValue, [thisValue, list]: Arguments): unknown {
  if (list !== undefined && list !== null && !isArray(list)) throw typeError('The arguments of apply must be an array');
  run.work(list?.length ?? 0);
  return self.call(run, thisValue, list ?? []);
}

function bind(_run: Run, self: FunctionValue, [thisValue, ...first]: Arguments): FunctionValue {
  return new NativeFunction(`bound ${self.name}`, self.length, (inner, _self, rest) =>
    self.call(inner, thisValue, [...first, ...rest]),
  );
}

/** Methods of functions. The source of a function is not readable. */
export const functionMethods = methodTable('Function', isFunction, {
  apply,
  bind,
  call: (run, self, [thisValue, ...args]) => self.call(run, thisValue, args),
  toString: (run: Run, self: FunctionValue) => toText(run, self),
});
