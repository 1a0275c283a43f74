// Saved before any user code runs. In this realm code can change none of them, but these need no look at that.
const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, isExtensible, ownKeys } =
  Reflect;
const { freeze, seal } = Object;
const { exec } = RegExp.prototype;

/**
 * Objects whose shape V8 knows: sealed they would be slower by a factor of three. All of them is compared instead, by
 * descriptors.
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

/** A value of a sealed object that can be assigned to. */
interface Slot {
  readonly object: object;
  readonly key: PropertyKey;
  readonly value: unknown;
}

/** An object that is not sealed, as it was. */
interface Shape {
  readonly object: object;
  readonly prototype: object | null;
  readonly properties: readonly (readonly [PropertyKey, PropertyDescriptor])[];
}

/**
 * Lets code share this realm with code that runs later: functions of the language and of the prelude are frozen, and of
 * all other objects that code can reach only the values can change, which is found out afterwards.
 * @returns what takes the names of a run away, and what the engine itself keeps of it. It gives false if anything of
 * the realm is not as it was: nothing may run in it any more
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
    // What was matched last is kept by the engine, for `RegExp.$1`.
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
  /** Those whose values are made when they are first read, and what makes them. */
  readonly lazy: readonly (readonly [PropertyKey, () => unknown])[];
}

/** Makes the global names as they are final, but for those whose values are made when they are first read. */
function fixGlobals(): Globals {
  // Made now: most code that names anything of the prelude names it.
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

/** All objects that code can reach from the global names and from values that have none, without the global object. */
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

/** Objects of the language without a global name, and accessors that every object of a kind shares. */
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

/** Iterators that helpers of iterators make, where this engine has them. */
function iteratorsOfHelpers(): object[] {
  const iterator: unknown = Reflect.get(globalThis, 'Iterator');
  const from: unknown = isObject(iterator) ? Reflect.get(iterator, 'from') : undefined;
  if (typeof from !== 'function') return [];
  const wrapped: unknown = apply(from, iterator, [{ next: () => ({ done: true }) }]);
  const map: unknown = isObject(wrapped) ? Reflect.get(wrapped, 'map') : undefined;
  const mapped: unknown = typeof map === 'function' ? apply(map, wrapped, [(value: unknown) => value]) : undefined;
  return [wrapped, mapped].filter(isObject);
}
