import { toNumber } from '../runtime/convert';
import { nativeFunctions } from '../runtime/values/function-value';
import type { Arguments } from '../runtime/values/function-value';
import type { Run } from '../runtime/run';
import { Namespace } from '../runtime/values/virtual-object';

const UNARY = {
  abs: Math.abs,
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  cbrt: Math.cbrt,
  ceil: Math.ceil,
  clz32: Math.clz32,
  cos: Math.cos,
  cosh: Math.cosh,
  exp: Math.exp,
  expm1: Math.expm1,
  floor: Math.floor,
  fround: Math.fround,
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  round: Math.round,
  sign: Math.sign,
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
  trunc: Math.trunc,
} as const;

const BINARY = { atan2: Math.atan2, imul: Math.imul, pow: Math.pow } as const;

/** The largest or smallest of many numbers, without a host call of as many arguments. */
export const extreme =
  (choose: (a: number, b: number) => number, start: number) =>
  (run: Run, args: Arguments): number => {
    run.work(args.length >> 3);
    return args.reduce<number>((best, arg) => choose(best, toNumber(run, arg)), start);
  };

const unary = Object.fromEntries(
  Object.entries(UNARY).map(([name, body]) => [name, (run: Run, args: Arguments) => body(toNumber(run, args[0]))]),
);
const binary = Object.fromEntries(
  Object.entries(BINARY).map(([name, body]) => [
    name,
    (run: Run, args: Arguments) => body(toNumber(run, args[0]), toNumber(run, args[1])),
  ]),
);

function hypot(run: Run, args: Arguments): number {
  run.work(args.length >> 3);
  return Math.sqrt(args.reduce<number>((sum, arg) => sum + toNumber(run, arg) ** 2, 0));
}

/** `Math`. */
export const mathNamespace = new Namespace({
  ...nativeFunctions({
    ...unary,
    ...binary,
    hypot,
    max: extreme(Math.max, -Infinity),
    min: extreme(Math.min, Infinity),
    random: () => Math.random(),
  }),
  E: Math.E,
  LN10: Math.LN10,
  LN2: Math.LN2,
  LOG10E: Math.LOG10E,
  LOG2E: Math.LOG2E,
  PI: Math.PI,
  SQRT1_2: Math.SQRT1_2,
  SQRT2: Math.SQRT2,
});
