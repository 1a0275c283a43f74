import { countDigits, isPrimitive, numberOf, toNumber, toPrimitive } from './convert';
import { FunctionValue } from './values/function-value';
import { isArray, isPlainObject } from './kinds';
import { checkedKey } from './members';
import { toKey } from './convert';
import type { Run } from './run';
import { COMPARE_NS, countEqual, isSame } from './texts';
import { typeError } from './thrown';
import { VirtualObject } from './values/virtual-object';

/** A binary operator of the language. */
export type BinaryOperator = (run: Run, left: unknown, right: unknown) => unknown;

function add(run: Run, left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  const a = toPrimitive(run, left, 'default');
  const b = toPrimitive(run, right, 'default');
  if (typeof a !== 'string' && typeof b !== 'string') return Number(a) + Number(b);
  const [first, second] = [String(a), String(b)];
  // Texts are joined without copying: what is new is at most the shorter one.
  run.allowText(first.length + second.length, Math.min(first.length, second.length) + 1);
  return first + second;
}

const arithmetic =
  (operate: (a: number, b: number) => number): BinaryOperator =>
  (run, left, right) =>
    operate(toNumber(run, left), toNumber(run, right));

const comparison =
  (numbers: (a: number, b: number) => boolean, texts: (a: string, b: string) => boolean): BinaryOperator =>
  (run, left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return numbers(left, right);
    const a = toPrimitive(run, left, 'number');
    const b = toPrimitive(run, right, 'number');
    if (typeof a !== 'string' || typeof b !== 'string') return numbers(numberOf(run, a), numberOf(run, b));
    run.read(Math.min(a.length, b.length), COMPARE_NS);
    return texts(a, b);
  };

function looselyEqual(run: Run, left: unknown, right: unknown): boolean {
  countEqual(run, left, right);
  countConversion(run, left, right);
  if (isPrimitive(left) === isPrimitive(right)) return isPrimitive(left) ? left == right : left === right;
  const [object, primitive] = isPrimitive(left) ? [right, left] : [left, right];
  if (primitive === null || primitive === undefined) return false;
  const value = toPrimitive(run, object, 'default');
  countEqual(run, value, primitive);
  countConversion(run, value, primitive);
  return value == primitive;
}

/** A string is read as a number to be compared with one. */
function countConversion(run: Run, left: unknown, right: unknown): void {
  if (typeof left === typeof right) return;
  countDigits(run, left);
  countDigits(run, right);
}

function isInstance(_run: Run, value: unknown, type: unknown): boolean {
  if (!(type instanceof FunctionValue)) throw typeError("Right-hand side of 'instanceof' is not callable");
  return type.hasInstance(value);
}

function isIn(run: Run, left: unknown, right: unknown): boolean {
  const key = checkedKey(toKey(run, left));
  if (isArray(right) || isPlainObject(right)) return Object.hasOwn(right, key);
  if (right instanceof VirtualObject) return right.has(run, key);
  if (isPrimitive(right))
    throw typeError(`Cannot use 'in' operator to search for '${key}' in a value that is not an object`);
  return false;
}

/** The binary operators of JavaScript, by their sign. */
export const BINARY_OPERATORS: Readonly<Record<string, BinaryOperator>> = {
  '+': add,
  '-': arithmetic((a, b) => a - b),
  '*': arithmetic((a, b) => a * b),
  '/': arithmetic((a, b) => a / b),
  '%': arithmetic((a, b) => a % b),
  '**': arithmetic((a, b) => a ** b),
  '&': arithmetic((a, b) => a & b),
  '|': arithmetic((a, b) => a | b),
  '^': arithmetic((a, b) => a ^ b),
  '<<': arithmetic((a, b) => a << b),
  '>>': arithmetic((a, b) => a >> b),
  '>>>': arithmetic((a, b) => a >>> b),
  '<': comparison(
    (a, b) => a < b,
    (a, b) => a < b,
  ),
  '>': comparison(
    (a, b) => a > b,
    (a, b) => a > b,
  ),
  '<=': comparison(
    (a, b) => a <= b,
    (a, b) => a <= b,
  ),
  '>=': comparison(
    (a, b) => a >= b,
    (a, b) => a >= b,
  ),
  '==': looselyEqual,
  '!=': (run, left, right) => !looselyEqual(run, left, right),
  '===': isSame,
  '!==': (run, left, right) => !isSame(run, left, right),
  in: isIn,
  instanceof: isInstance,
};

/** Result of `typeof`. */
export function typeOf(value: unknown): string {
  if (value instanceof FunctionValue) return 'function';
  return value instanceof VirtualObject ? value.typeName : typeof value;
}
