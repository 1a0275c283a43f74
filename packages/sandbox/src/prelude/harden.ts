// Saved before any user code runs. Code of this realm cannot change them, but that way it need not be proven.
const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, isExtensible, ownKeys } =
  Reflect;
const { freeze, seal } = Object;
const { exec } = RegExp.prototype;

/**
 * Objects with fast paths for their shape in V8: sealed they would be three times slower. Instead their property
 * descriptors are compared.
 */
const KNOWN_SHAPES = new Set<object>([
  Array.prototype,
  Map.prototype,
  Object.prototype,
  Promise.prototype,
  RegExp.prototype,
  Set.prototype,
  String.prototype,
]);

/** An assignable value of a sealed object. */
interface Slot {
  readonly object: object;
  readonly key: PropertyKey;
  readonly value: unknown;
}

/** The original properties of an unsealed object. */
interface Shape {
  readonly object: object;
  readonly prototype: object | null;
  readonly properties: readonly (readonly [PropertyKey, PropertyDescriptor])[];
}

/**
 * Lets code share this realm with later code: functions of the language and of the prelude are frozen, and of all other
 * reachable objects only values can change, which is checked afterwards.
 * @returns a function that removes the names of a run and the engine's leftovers. It returns false if the realm could
 * not be restored; it must not be used any more
 */
export function hardenRealm(): () => boolean {
  const slots: Slot[] = [];
  const shapes: Shape[] = [];
  const { names, lazy } = fixGlobals();
  const prototype = getPrototypeOf(globalThis);
  for (const object of reachable()) {
    if (typeof object === 'function' && object !== Function.prototype) {
      freeze(object);
      continue;
    }
    if (KNOWN_SHAPES.has(object)) {
      shapes.push({ object, prototype: getPrototypeOf(object), properties: propertiesOf(object) });
      continue;
    }
    seal(object);
    for (const [key, { writable, value }] of propertiesOf(object))
      if (writable === true) slots.push({ object, key, value });
  }
  return () => {
    const ofRun = ownKeys(globalThis).filter((name) => !names.has(name));
    const isIntact =
      isExtensible(globalThis) &&
      getPrototypeOf(globalThis) === prototype &&
      ofRun.every((name) => deleteProperty(globalThis, name)) &&
      lazy.every(([name, get]) => getOwnPropertyDescriptor(globalThis, name)?.get === get) &&
      slots.every(isKept) &&
      shapes.every(isAsItWas);
    // The engine keeps the last match for `RegExp.$1`.
    if (isIntact) apply(exec, /(?:)/, ['']);
    return isIntact;
  };
}

const isKept = ({ object, key, value }: Slot): boolean => Reflect.get(object, key) === value;

const isAsItWas = ({ object, prototype, properties }: Shape): boolean =>
  isExtensible(object) &&
  getPrototypeOf(object) === prototype &&
  ownKeys(object).length === properties.length &&
  properties.every(([key, was]) => {
    const is = getOwnPropertyDescriptor(object, key);
    return (
      is !== undefined &&
      is.value === was.value &&
      is.get === was.get &&
      is.set === was.set &&
      is.writable === was.writable &&
      is.configurable === was.configurable &&
      is.enumerable === was.enumerable
    );
  });

/** The global names before any run. */
interface Globals {
  readonly names: ReadonlySet<PropertyKey>;
  /** Names whose values are created on first access, with their factories. */
  readonly lazy: readonly (readonly [PropertyKey, () => unknown])[];
}

/** Makes the global names final, except those whose values are created on first access. */
function fixGlobals(): Globals {
  // Created now: most code that uses any prelude name uses this one.
  void globalThis.console;
  const lazy: [PropertyKey, () => unknown][] = [];
  const all = propertiesOf(globalThis);
  for (const [name, { configurable, get }] of all)
    if (get !== undefined) lazy.push([name, get]);
    else if (configurable === true) defineProperty(globalThis, name, { writable: false, configurable: false });
  return { names: new Set(all.map(([name]) => name)), lazy };
}

const propertiesOf = (object: object): [PropertyKey, PropertyDescriptor][] =>
  ownKeys(object).flatMap((key): [PropertyKey, PropertyDescriptor][] => {
    const descriptor = getOwnPropertyDescriptor(object, key);
    return descriptor === undefined ? [] : [[key, descriptor]];
  });

/** All objects reachable from the global names and from nameless built-ins, without the global object. */
function reachable(): ReadonlySet<object> {
  const found = new Set<object>();
  const left: unknown[] = [getPrototypeOf(globalThis), ...nameless()];
  for (const [, { value, get, set }] of propertiesOf(globalThis)) left.push(value, get, set);
  while (left.length > 0) {
    const value = left.pop();
    if (!isObject(value) || value === globalThis || found.has(value)) continue;
    found.add(value);
    left.push(getPrototypeOf(value));
    for (const [, descriptor] of propertiesOf(value)) left.push(descriptor.value, descriptor.get, descriptor.set);
  }
  return found;
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';

/** Built-in objects without a global name, and accessors shared by all objects of a kind. */
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
  const stack = getOwnPropertyDescriptor(new Error(), 'stack');
  return [...values.map((value) => getPrototypeOf(value)), stack?.get, stack?.set];
}

/** Iterators created by iterator helpers, if this engine has them. */
function iteratorsOfHelpers(): object[] {
  const iterator: unknown = Reflect.get(globalThis, 'Iterator');
  const from: unknown = isObject(iterator) ? Reflect.get(iterator, 'from') : undefined;
  if (typeof from !== 'function') return [];
  const wrapped: unknown = apply(from, iterator, [{ next: () => ({ done: true }) }]);
  const map: unknown = isObject(wrapped) ? Reflect.get(wrapped, 'map') : undefined;
  const mapped: unknown = typeof map === 'function' ? apply(map, wrapped, [(value: unknown) => value]) : undefined;
  return [wrapped, mapped].filter(isObject);
}
