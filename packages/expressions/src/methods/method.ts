import type { Arguments } from '../runtime/function-value';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';

/** A method as it is called: `self` is checked to be of the type it belongs to. */
export type Method = (run: Run, self: unknown, args: Arguments) => unknown;

/** The methods of one type, by name. */
export type MethodTable = ReadonlyMap<string, Method>;

/** The body of a method of values of type `T`. One step is taken before it is called. */
export type MethodBody<T> = (run: Run, self: T, args: Arguments) => unknown;

/** Makes the method table of a type. Calling one of its methods on anything else is a TypeError, as in JavaScript. */
export function methodTable<T>(
  type: string,
  isType: (value: unknown) => value is T,
  bodies: Readonly<Record<string, MethodBody<T>>>,
): MethodTable {
  return new Map(
    Object.entries(bodies).map(([name, body]) => [
      name,
      (run: Run, self: unknown, args: Arguments): unknown => {
        if (!isType(self)) throw typeError(`${type}.${name} called on an incompatible value`);
        return body(run, self, args);
      },
    ]),
  );
}

/** One table out of several; of two methods with the same name the later one counts. */
export function mergeTables(...tables: readonly MethodTable[]): MethodTable {
  return new Map(tables.flatMap((table) => [...table]));
}
