import type { CodeError } from '../code-data';
import { define } from './define';

/** Messages of the engine, and V8's for the same errors. `$1` is the matched group. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^cannot (read|set) property 'Symbol\.iterator' of (undefined|null)$/, '$2 is not iterable'],
  [/^cannot read property '(.*)' of (undefined|null)$/s, "Cannot read properties of $2 (reading '$1')"],
  [/^cannot set property '(.*)' of (undefined|null)$/s, "Cannot set properties of $2 (setting '$1')"],
  [/^cannot read property of (undefined|null)$/, 'Cannot read properties of $1'],
  [/^'(.*)' is not defined$/, '$1 is not defined'],
  [/^'.*' is read-only$/, 'Assignment to constant variable.'],
  [/^(.*) is not initialized$/, "Cannot access '$1' before initialization"],
  [/^empty array$/, 'Reduce of empty array with no initial value'],
  [/^Date value is NaN$/, 'Invalid time value'],
  [/^circular reference$/, 'Converting circular structure to JSON'],
  [/^cannot convert bigint to number$/, 'Cannot mix BigInt and other types, use explicit conversions'],
  [/^cannot convert to object$/, 'Cannot convert undefined or null to object'],
  [/^invalid array length$/, 'Invalid array length'],
  [/^invalid repeat count$/, 'Invalid count value'],
  [/^invalid string length$/, 'Invalid string length'],
  [/^stack overflow$/, 'Maximum call stack size exceeded'],
  // The second is how the engine shows something for which no memory was left.
  [/^(out of memory|\[unsupported type\])$/, 'The code exceeded its memory limit'],
  [/^object is not extensible$/, 'Cannot add property, object is not extensible'],
  [/^could not load module '(.*)'$/s, "Cannot find module '$1'"],
  [/^expecting hex digit$/, 'URI malformed'],
];

/** Lines above a call in which what is called may begin. */
const CALL_LINES = 20;

/** A line and column of the user's code in a stack trace. */
const PLACE = /\(?code:(\d+)(?::(\d+))?\)?$/m;

/** Explains errors of one piece of code. */
export class ErrorReader {
  readonly #lines: readonly string[];

  constructor(code: string) {
    this.#lines = code.split('\n');
  }

  /** Corrects the engine's words in an error that was caught. Other values are unchanged. */
  readonly improve = (thrown: unknown): unknown => {
    if (!(thrown instanceof Error)) return thrown;
    const improved = this.#wordsFor(thrown);
    if (improved !== thrown.message)
      Object.defineProperty(thrown, 'message', {
        value: improved,
        writable: true,
        configurable: true,
        enumerable: false,
      });
    return thrown;
  };

  /** Describes an uncaught thrown value. Never throws. */
  describe(thrown: unknown): CodeError {
    try {
      // Null is also what the engine throws when it has no memory left to make an error.
      if (thrown === null) return { name: 'Error', message: 'The code exceeded its memory limit, or threw null' };
      if (typeof thrown !== 'object') return { name: 'Error', message: inWords(String(thrown)) };
      this.improve(thrown);
      const { name, message, description }: { name?: unknown; message?: unknown; description?: unknown } = thrown;
      const line = 'stack' in thrown ? PLACE.exec(String(thrown.stack))?.[1] : undefined;
      return {
        name: name === 'InternalError' ? 'RangeError' : String(name ?? 'Error'),
        message: message === undefined ? 'Unknown error' : String(message),
        ...(typeof description === 'string' ? { description } : {}),
        ...(line === undefined ? {} : { line: Number(line) }),
      };
    } catch {
      return { name: 'Error', message: 'The code threw something that cannot be described' };
    }
  }

  #wordsFor(error: Error): string {
    const { message } = error;
    if (message === 'not a function') return `${this.#calleeOf(error) ?? '(intermediate value)'} is not a function`;
    return inWords(message);
  }

  /** The text before the bracket of the call that failed. */
  #calleeOf(error: Error): string | undefined {
    const [, line, column] = PLACE.exec(error.stack ?? '') ?? [];
    const last = Number(line) - 1;
    const before = this.#lines[last]?.slice(0, Number(column) - 1);
    return before === undefined
      ? undefined
      : calleeBefore([...this.#lines.slice(Math.max(0, last - CALL_LINES), last), before].join('\n').trimEnd());
  }
}

function inWords(message: string): string {
  for (const [pattern, words] of WORDS) if (pattern.test(message)) return message.replace(pattern, words);
  return message;
}

/** A name with its properties at the end of a string, calls and indexes in it shortened as V8 does. */
function calleeBefore(text: string): string | undefined {
  let rest = text.replace(/\?\.$/, '');
  let callee = '';
  for (let parts = 0; parts < 50; parts += 1) {
    const name = /(?:\?\.|\.)?\s*[\w$#]+$/.exec(rest)?.[0];
    if (name !== undefined) {
      rest = rest.slice(0, -name.length).trimEnd();
      callee = name.replace(/\s/g, '').replace('?.', '.') + callee;
      if (!/^[.]/.test(callee)) return callee;
      continue;
    }
    const close = rest.at(-1);
    if (close !== ')' && close !== ']') break;
    const open = openingOf(rest);
    if (open < 0 || !/[\w$)\]]$/.test(rest.slice(0, open).trimEnd())) break;
    callee = (close === ')' ? '(...)' : rest.slice(open)) + callee;
    rest = rest.slice(0, open).trimEnd();
  }
  return callee === '' ? undefined : `(intermediate value)${callee}`;
}

/** Position of the bracket that is closed at the end of a string. Texts with brackets in them may mislead it. */
function openingOf(text: string): number {
  let depth = 0;
  for (let index = text.length - 1; index >= 0; index -= 1) {
    const character = text.charAt(index);
    if (character === ')' || character === ']') depth += 1;
    if (character === '(' || character === '[') depth -= 1;
    if (depth === 0) return index;
  }
  return -1;
}

/** Lets `catch` of promises see errors in the usual words. */
export function improveRejections(errors: ErrorReader): void {
  const { then } = Promise.prototype;
  define(Promise.prototype, 'catch', function (this: Promise<unknown>, onRejected: unknown) {
    const handler =
      typeof onRejected === 'function'
        ? (thrown: unknown): unknown => Reflect.apply(onRejected, undefined, [errors.improve(thrown)])
        : undefined;
    return Reflect.apply(then, this, [undefined, handler]);
  });
}
