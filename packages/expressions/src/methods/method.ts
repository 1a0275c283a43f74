import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { typeError } from '../runtime/thrown';
import { COST_OF_ARGUMENTS, COSTS } from './costs';

/** A method as it is called: `self` is checked to be of the type it belongs to. */
export type Method = (run: Run, self: unknown, args: Arguments) => unknown;

/** The methods of one type, by name. */
export type MethodTable = ReadonlyMap<string, Method>;

/** The body of a method of values of type `T`. One step is taken before it is called. */
export type MethodBody<T> = (run: Run, self: T, args: Arguments) => unknown;

/**
 * Makes the method table of a type. Calling one of its methods on anything else is a TypeError, as in JavaScript. What
 * the method may take for the characters it is given is counted first.
 */
export function methodTable<T>(
  type: string,
  isType: (value: unknown) => value is T,
  bodies: Readonly<Record<string, MethodBody<T>>>,
): MethodTable {
  return new Map(
    Object.entries(bodies).map(([name, body]) => {
      const cost = costOf(type, name);
      return [
        name,
        (run: Run, self: unknown, args: Arguments): unknown => {
          if (!isType(self)) throw typeError(`${type}.${name} called on an incompatible value`);
          if (cost > 0) countCharacters(run, self, args, cost);
          return body(run, self, args);
        },
      ];
    }),
  );
}

const COSTS_BY_TYPE: ReadonlyMap<string, Readonly<Record<string, number>>> = new Map(Object.entries(COSTS));

/** @throws Error for a method without a row in the table of costs */
function costOf(type: string, name: string): number {
  const costs = COSTS_BY_TYPE.get(type);
  if (costs === undefined) return COST_OF_ARGUMENTS;
  const cost = Object.hasOwn(costs, name) ? costs[name] : undefined;
  if (cost === undefined) throw new Error(`${type}.${name} has no cost: measure it and add a row to costs.ts`);
  return cost;
}

function countCharacters(run: Run, self: unknown, args: Arguments, cost: number): void {
  let characters = typeof self === 'string' ? self.length : 0;
  for (const arg of args) if (typeof arg === 'string') characters += arg.length;
  run.read(characters, cost);
}

/** One table out of several; of two methods with the same name the later one counts. */
export function mergeTables(...tables: readonly MethodTable[]): MethodTable {
  return new Map(tables.flatMap((table) => [...table]));
}
