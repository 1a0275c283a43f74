import { BufferValue } from './buffers';
import { toInteger, toNumber } from '../runtime/convert';
import { FunctionValue, NativeConstructor, nativeFunctions } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { iterate } from '../runtime/iterate';
import { isArray, isPlainObject } from '../runtime/kinds';
import type { Run } from '../runtime/run';
import { rangeError } from '../runtime/thrown';

function construct(run: Run, args: Arguments): unknown[] {
  const [length] = args;
  if (args.length !== 1 || typeof length !== 'number') {
    run.allowEntries(args.length);
    return run.made([...args]);
  }
  if (!Number.isInteger(length) || length < 0) throw rangeError('Invalid array length');
  run.allowEntries(length);
  return run.made(new Array<unknown>(length).fill(undefined));
}

function from(run: Run, [source, map]: Arguments): unknown[] {
  const values = sourceValues(run, source);
  run.allowEntries(values.length);
  if (!(map instanceof FunctionValue)) return run.made([...values]);
  return run.made(values.map((value, index) => map.call(run, undefined, [value, index])));
}

function sourceValues(run: Run, source: unknown): readonly unknown[] {
  if (source instanceof BufferValue) return [...source.bytes];
  if (!isPlainObject(source)) return iterate(run, source);
  const length = Math.max(0, toInteger(run, Object.hasOwn(source, 'length') ? source['length'] : 0));
  run.allowEntries(length);
  return Array.from({ length }, (_, index) => (Object.hasOwn(source, index) ? source[String(index)] : undefined));
}

/** `Array`. */
export const arrayConstructor = new NativeConstructor('Array', 1, {
  construct,
  isInstance: isArray,
  members: nativeFunctions({
    from,
    isArray: (_run, [value]) => isArray(value),
    of: (run, args) => {
      run.allowEntries(args.length);
      return run.made([...args]);
    },
  }),
});

/** One place that holds a number without its fraction. */
function wholeNumbers(): NumberArray {
  let held = 0;
  return {
    length: 1,
    get 0() {
      return held;
    },
    set 0(value: number) {
      held = Math.trunc(value);
    },
  };
}

type NumberArray = { readonly length: number; [index: number]: number };

/** Numbers as an array of a numeric type holds them. Here they are ordinary lists of numbers. */
const numeric = (name: string, make: (length: number) => NumberArray): [string, NativeConstructor] => [
  name,
  new NativeConstructor(name, 3, {
    construct: (run, [source]) => {
      const values =
        typeof source === 'number'
          ? construct(run, [source]).map(() => 0)
          : source === undefined
            ? []
            : sourceValues(run, source);
      run.allowEntries(values.length);
      const cast = make(1);
      return run.made(
        values.map((value) => {
          cast[0] = toNumber(run, value);
          return cast[0];
        }),
      );
    },
    isInstance: () => false,
  }),
];

/** `Int8Array` and the like. */
export const numericArrays: Readonly<Record<string, NativeConstructor>> = Object.fromEntries([
  numeric('Int8Array', (length) => new Int8Array(length)),
  numeric('Uint8Array', (length) => new Uint8Array(length)),
  numeric('Uint8ClampedArray', (length) => new Uint8ClampedArray(length)),
  numeric('Int16Array', (length) => new Int16Array(length)),
  numeric('Uint16Array', (length) => new Uint16Array(length)),
  numeric('Int32Array', (length) => new Int32Array(length)),
  numeric('Uint32Array', (length) => new Uint32Array(length)),
  numeric('Float32Array', (length) => new Float32Array(length)),
  numeric('Float64Array', (length) => new Float64Array(length)),
  // Expressions have no BigInt: these hold whole numbers.
  numeric('BigInt64Array', () => wholeNumbers()),
  numeric('BigUint64Array', () => wholeNumbers()),
]);
