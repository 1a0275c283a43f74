/** The built-ins of a realm that the process around it needs to check it from outside. */
export interface BuiltIns {
  readonly global: object;
  /** Built-in objects without a global name, and accessors shared by all objects of a kind. */
  readonly nameless: readonly unknown[];
  /** A regular expression that no code can reach, and the built-in that runs it. */
  readonly pattern: RegExp;
  readonly exec: (this: RegExp, text: string) => unknown;
}

/** Collects the built-ins of this realm. Called before any user code runs. */
export function builtIns(): BuiltIns {
  // Created now: most code that uses any prelude name uses this one.
  void globalThis.console;
  return { global: globalThis, nameless: nameless(), pattern: /(?:)/, exec: RegExp.prototype.exec };
}

function nameless(): unknown[] {
  const generate = function* (): Generator {};
  const generateLater = async function* (): AsyncGenerator {};
  const segments = new Intl.Segmenter().segment('a');
  const values: object[] = [
    async (): Promise<void> => undefined,
    generate,
    generateLater,
    generate(),
    generateLater(),
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    'a'.matchAll(/a/g),
    segments,
    segments[Symbol.iterator](),
    ...iteratorsOfHelpers(),
  ];
  const stack = Object.getOwnPropertyDescriptor(new Error(), 'stack');
  return [...values.map((value): unknown => Object.getPrototypeOf(value)), stack?.get, stack?.set];
}

/** Iterators created by iterator helpers, if this engine has them. */
function iteratorsOfHelpers(): object[] {
  const iterator: unknown = Reflect.get(globalThis, 'Iterator');
  const from: unknown = isObject(iterator) ? Reflect.get(iterator, 'from') : undefined;
  if (typeof from !== 'function') return [];
  const wrapped: unknown = Reflect.apply(from, iterator, [{ next: () => ({ done: true }) }]);
  const map: unknown = isObject(wrapped) ? Reflect.get(wrapped, 'map') : undefined;
  const mapped: unknown =
    typeof map === 'function' ? Reflect.apply(map, wrapped, [(value: unknown) => value]) : undefined;
  return [wrapped, mapped].filter(isObject);
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';
