import { countDigits, toInteger, toNumber, toText } from '../runtime/convert';
import { NativeConstructor, NativeFunction, nativeFunctions } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import { readMember } from '../runtime/members';
import type { Run } from '../runtime/run';
import { rangeError } from '../runtime/thrown';

function digits(run: Run, value: unknown): string {
  const text = toText(run, value);
  countDigits(run, text);
  return text;
}

const parseFloatFunction = new NativeFunction('parseFloat', 1, (run, _self, [text]) =>
  Number.parseFloat(digits(run, text)),
);
const parseIntFunction = new NativeFunction('parseInt', 2, (run, _self, [text, radix]) =>
  Number.parseInt(digits(run, text), radix === undefined ? undefined : toNumber(run, radix)),
);

function fromCharCode(run: Run, args: Arguments): string {
  run.allowText(args.length);
  return args.map((arg) => String.fromCharCode(toNumber(run, arg))).join('');
}

function fromCodePoint(run: Run, args: Arguments): string {
  run.allowText(args.length * 2);
  return args
    .map((arg) => {
      const code = toNumber(run, arg);
      if (!Number.isInteger(code) || code < 0 || code > 0x10ffff) throw rangeError(`Invalid code point ${code}`);
      return String.fromCodePoint(code);
    })
    .join('');
}

function raw(run: Run, [texts, ...values]: Arguments): string {
  const parts = readMember(run, texts, 'raw');
  const length = toInteger(run, readMember(run, parts, 'length'));
  run.allowEntries(Math.max(0, length));
  let result = '';
  for (let index = 0; index < length; index += 1) {
    const value = index < length - 1 && index < values.length ? toText(run, values[index]) : '';
    const piece = toText(run, readMember(run, parts, String(index))) + value;
    run.allowText(result.length + piece.length, piece.length);
    result += piece;
  }
  return result;
}

/** `String`. With `new` it gives a string too: there are no wrapper objects. */
export const stringConstructor = new NativeConstructor('String', 1, {
  construct: (run, args) => (args.length === 0 ? '' : toText(run, args[0])),
  isInstance: () => false,
  members: nativeFunctions({ fromCharCode, fromCodePoint, raw }),
});

/** `Number`. */
export const numberConstructor = new NativeConstructor('Number', 1, {
  construct: (run, args) => (args.length === 0 ? 0 : toNumber(run, args[0])),
  isInstance: () => false,
  members: {
    ...nativeFunctions({
      isFinite: (_run, [value]) => Number.isFinite(value),
      isInteger: (_run, [value]) => Number.isInteger(value),
      isNaN: (_run, [value]) => Number.isNaN(value),
      isSafeInteger: (_run, [value]) => Number.isSafeInteger(value),
    }),
    parseFloat: parseFloatFunction,
    parseInt: parseIntFunction,
    EPSILON: Number.EPSILON,
    MAX_SAFE_INTEGER: Number.MAX_SAFE_INTEGER,
    MAX_VALUE: Number.MAX_VALUE,
    MIN_SAFE_INTEGER: Number.MIN_SAFE_INTEGER,
    MIN_VALUE: Number.MIN_VALUE,
    NEGATIVE_INFINITY: -Infinity,
    NaN: Number.NaN,
    POSITIVE_INFINITY: Infinity,
  },
});

/** `Boolean`. */
export const booleanConstructor = new NativeConstructor('Boolean', 1, {
  construct: (_run, [value]) => Boolean(value),
  isInstance: () => false,
});

/** The functions on numbers that are globals themselves. */
export const numberFunctions: Readonly<Record<string, NativeFunction>> = {
  ...nativeFunctions({
    isFinite: (run, [value]) => Number.isFinite(toNumber(run, value)),
    isNaN: (run, [value]) => Number.isNaN(toNumber(run, value)),
  }),
  parseFloat: parseFloatFunction,
  parseInt: parseIntFunction,
};
