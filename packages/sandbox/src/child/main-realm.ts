/** Names that the language itself needs in the realm of the process. */
const KEPT = new Set([
  'globalThis',
  'undefined',
  'NaN',
  'Infinity',
  'Object',
  'Function',
  'Array',
  'String',
  'Number',
  'Boolean',
  'Symbol',
  'BigInt',
  'Date',
  'RegExp',
  'Promise',
  'Proxy',
  'Reflect',
  'JSON',
  'Math',
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'ArrayBuffer',
  'Uint8Array',
  'Error',
  'TypeError',
  'RangeError',
  'SyntaxError',
  'ReferenceError',
  'EvalError',
  'URIError',
  'AggregateError',
  // Needed to parse code.
  'parseFloat',
  'parseInt',
]);

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/**
 * Removes everything from the realm of this process that would help an attacker who reached one of its objects: the
 * global names, and the means to change shared objects. Code of this process must capture the names it needs
 * beforehand.
 * @param reachable objects that user code may obtain, such as the error of a refused `import()`
 */
export const stripMainRealm = (reachable: readonly unknown[]): void => {
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!KEPT.has(name)) Reflect.deleteProperty(globalThis, name);
  freezeAll([...[...KEPT].map((name): unknown => Reflect.get(globalThis, name)), ...hiddenObjects(), ...reachable]);
};

/** Built-in objects without a global name. */
const hiddenObjects = (): unknown[] => {
  const generate = function* (): Generator {};
  const generateLater = async function* (): AsyncGenerator {};
  return [
    async (): Promise<void> => undefined,
    generate,
    generateLater,
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    'a'.matchAll(/a/g),
  ].map((value): unknown => Object.getPrototypeOf(value));
};

/** Freezes objects and everything reachable from them by properties and prototypes, except the global object. */
const freezeAll = (roots: readonly unknown[]): void => {
  const seen = new Set<unknown>([globalThis]);
  const left = [...roots];
  for (let value = left.pop(); left.length > 0 || value !== undefined; value = left.pop()) {
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    left.push(Object.getPrototypeOf(value));
    for (const descriptor of Object.values(Object.getOwnPropertyDescriptors(value)))
      left.push(descriptor.value, descriptor.get, descriptor.set);
    // A view of memory cannot be frozen; none should be reachable from here.
    if (!ArrayBuffer.isView(value)) Object.freeze(value);
  }
};
